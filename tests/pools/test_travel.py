"""Export, import, relink: what each plans, and what it refuses in words."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from host.inventory import Importable, ImportableVdev, ImportLoss, Inventory, LastUse, Pool, Scan, Vdev
from jobs.plan import Plan, Refused
from pools.travel import export_pool, import_pool, relink_pool
from pools.travel.export_pool import ExportPool
from pools.travel.import_pool import ImportPool
from pools.travel.known import unimported_pools
from pools.travel.links import to_mend
from pools.travel.relink_pool import RelinkPool
from tests import made
from tests.pools.importable import DISKS, GUID, machine, unimported


def argvs(plan: Plan) -> list[tuple[str, ...]]:
    return [command.argv() for step in plan.steps for command in step.commands]


def codes(refused: pytest.ExceptionInfo[Refused]) -> set[tuple[str, str]]:
    return {(f.code, f.field) for f in refused.value.findings if f.level == "error"}


def refuse(inventory: Inventory, **request: Any) -> set[tuple[str, str]]:
    with pytest.raises(Refused) as refused:
        import_pool.plan(ImportPool(**({"guid": GUID} | request)), inventory)
    return codes(refused)


BY_ID = ("zpool", "import", "-d", "/dev/disk/by-id", "-N")
PROGRAM = (
    "env", "--chdir=/opt/nasweb/current", "/opt/nasweb/current/.venv/bin/python", "-m",
    "host.programs.mount_pools",
)  # fmt: skip


def test_an_exported_pool_is_imported_by_its_guid_through_by_id() -> None:
    plan = import_pool.plan(ImportPool(guid=GUID), machine(unimported()))
    assert argvs(plan) == [(*BY_ID, GUID), (*PROGRAM, "--pool=old", "--foreign")]
    assert plan.claims == ("pool:old", *(f"disk:{disk.id}" for disk in DISKS))
    assert (plan.destroys, plan.confirm) == ((), None)


def test_a_name_is_enough_while_only_one_pool_has_it() -> None:
    assert argvs(import_pool.plan(ImportPool(name="old"), machine(unimported())))[0] == (*BY_ID, GUID)
    with pytest.raises(Refused) as refused:
        import_pool.plan(ImportPool(name="old"), machine(unimported(), unimported(guid="4712")))
    assert codes(refused) == {("several", "name")}
    assert "4711, 4712" in str(refused.value)


def test_all_flags_reach_the_command() -> None:
    request = ImportPool(guid=GUID, new_name="attic", readonly=True, unmounted=True, altroot="/mnt/look")
    plan = import_pool.plan(request, machine(unimported()))
    assert argvs(plan) == [
        (*BY_ID, "-R", "/mnt/look", "-o", "readonly=on", GUID, "attic")
    ]  # fmt: skip
    assert plan.steps[0].title == "Import pool old as attic, read-only"


def test_without_a_look_nothing_is_imported() -> None:
    assert refuse(made.inventory(*DISKS)) == {("look-first", "guid")}
    assert refuse(machine()) == {("unknown-pool", "guid")}
    with pytest.raises(Refused) as refused:
        import_pool.plan(ImportPool(), machine(unimported()))
    assert codes(refused) == {("required", "guid")}


def test_a_pool_that_is_imported_is_not_imported_again() -> None:
    assert refuse(machine(unimported(), pools=(made.pool("old", guid=GUID),))) == {
        ("already-imported", "guid")
    }


def test_a_taken_name_needs_a_new_one() -> None:
    inventory = machine(unimported(), pools=(made.pool("old"), made.pool("tank", guid="2")))
    assert refuse(inventory) == {("name-taken", "new_name")}
    assert refuse(inventory, new_name="tank") == {("name-taken", "new_name")}


@pytest.mark.parametrize("name", ["import", "importable"])
def test_a_pool_that_is_called_like_an_address_needs_another_name(name: str) -> None:
    inventory = machine(unimported(name=name))
    assert refuse(inventory) == {("bad-name", "new_name")}
    assert import_pool.plan(ImportPool(guid=GUID, new_name="old2"), inventory).claims[0] == "pool:old2"
    assert refuse(inventory, new_name="mirror1") == {("bad-name", "new_name")}
    assert argvs(import_pool.plan(ImportPool(guid=GUID, new_name="attic"), inventory))[0][-2:] == (
        GUID,
        "attic",
    )


OTHER_HOST = {"message_id": "ZFS-8000-EY", "status": "The pool was last accessed by another system."}


def test_a_pool_of_another_host_is_imported_only_after_that_was_said() -> None:
    elsewhere = unimported(last_use=LastUse(host="attic-nas", at="Sat Nov 14 10:00:00 2026"), **OTHER_HOST)
    with pytest.raises(Refused) as refused:
        import_pool.plan(ImportPool(guid=GUID), machine(elsewhere))
    assert codes(refused) == {("other-host", "force")}
    assert "last used by attic-nas on Sat Nov 14 10:00:00 2026" in str(refused.value)
    plan = import_pool.plan(ImportPool(guid=GUID, force=True), machine(elsewhere))
    assert argvs(plan)[0] == (*BY_ID, "-f", GUID)
    assert [(f.code, f.field) for f in plan.findings if f.level == "warning"] == [
        ("other-host", "force"), ("foreign", "guid"),
    ]  # fmt: skip


def test_no_flag_gets_past_a_machine_that_has_the_pool_now() -> None:
    status = "The pool is currently imported by another system."
    there = unimported(message_id="ZFS-8000-EY", status=status, action="The pool must be exported from nas2.")
    for force in (False, True):
        assert refuse(machine(there), force=force) == {("in-use-elsewhere", "guid")}


def test_features_that_are_not_known_are_refused_and_reading_offered() -> None:
    reading = unimported(
        status="The pool can only be accessed in read-only mode on this system. It cannot be accessed in "
        "read-write mode because it uses the following feature(s) not supported on this system: com.x:y"
    )
    assert refuse(machine(reading)) == {("read-only-here", "readonly")}
    assert argvs(import_pool.plan(ImportPool(guid=GUID, readonly=True), machine(reading)))
    unknown = unimported(
        state="UNAVAIL", status="The pool uses the following feature(s) not supported on this system: z"
    )
    assert refuse(machine(unknown), readonly=True) == {("unsupported", "guid")}


def test_a_missing_log_is_given_up_only_when_asked_and_is_a_loss() -> None:
    log = ImportableVdev(name="99887766", role="log", state="UNAVAIL")
    data = ImportableVdev(name=f"{DISKS[0].id}-part1", role="data", state="ONLINE")
    pool = unimported(data, log)
    assert refuse(machine(pool)) == {("log-missing", "missing_log")}
    plan = import_pool.plan(ImportPool(guid=GUID, missing_log=True), machine(pool))
    assert argvs(plan)[0] == (*BY_ID, "-m", GUID)
    assert [loss.pool for loss in plan.destroys] == ["old"]
    assert plan.confirm == "old"


def test_too_few_disks_are_refused_and_some_missing_ones_warned_of() -> None:
    gone = ImportableVdev(name="123456", role="data", state="UNAVAIL")
    here = ImportableVdev(name=f"{DISKS[0].id}-part1", role="data", state="ONLINE")
    degraded = ImportableVdev(name="mirror-0", role="data", state="DEGRADED", children=(here, gone))
    plan = import_pool.plan(ImportPool(guid=GUID), machine(unimported(degraded, state="DEGRADED")))
    assert [(f.code, f.level) for f in plan.findings if f.field == "guid"] == [
        ("degraded", "warning"), ("foreign", "warning"),
    ]  # fmt: skip
    broken = ImportableVdev(name="raidz1-0", role="data", state="UNAVAIL", children=(here, gone, gone))
    with pytest.raises(Refused) as refused:
        import_pool.plan(ImportPool(guid=GUID), machine(unimported(broken, state="UNAVAIL")))
    assert codes(refused) == {("disks-missing", "guid")}
    assert "raidz1-0 (2 of 3 disks missing)" in str(refused.value)


def test_a_rewind_states_its_loss_or_is_refused() -> None:
    assert refuse(machine(unimported()), rewind=True) == {("loss-unknown", "rewind")}
    none = ImportLoss(needed=False, seconds=None, back_to=None, refused=None)
    assert refuse(machine(unimported(), losses={GUID: none}), rewind=True) == {("no-rewind", "rewind")}
    loss = ImportLoss(needed=True, seconds=12, back_to="Sat Nov 21 11:59:48 2026", refused=None)
    inventory = machine(unimported(state="FAULTED"), losses={GUID: loss})
    plan = import_pool.plan(ImportPool(guid=GUID, rewind=True), inventory)
    assert argvs(plan)[0] == (*BY_ID, "-F", GUID)
    assert [one.holds for one in plan.destroys] == [
        "about 12 seconds of its last writes; it returns to its state of Sat Nov 21 11:59:48 2026"
    ]
    read_only = import_pool.plan(ImportPool(guid=GUID, rewind=True, readonly=True), inventory)
    assert read_only.destroys == ()
    assert refuse(inventory, guid=None, name="old", rewind=True) >= {("required", "guid")}


def test_to_return_to_a_checkpoint_loses_all_since_unless_it_is_only_looked_at() -> None:
    plan = import_pool.plan(ImportPool(guid=GUID, to_checkpoint=True), machine(unimported()))
    assert argvs(plan)[0] == (*BY_ID, "--rewind-to-checkpoint", GUID)
    assert [loss.holds for loss in plan.destroys] == ["everything written since its checkpoint"]
    read_only = import_pool.plan(
        ImportPool(guid=GUID, to_checkpoint=True, readonly=True), machine(unimported())
    )
    assert read_only.destroys == ()
    loss = ImportLoss(needed=True, seconds=1, back_to=None, refused=None)
    both = machine(unimported(), losses={GUID: loss})
    assert ("contradiction", "to_checkpoint") in refuse(both, to_checkpoint=True, rewind=True)


def test_a_destroyed_pool_comes_back_when_that_is_meant() -> None:
    gone = machine(unimported(destroyed=True))
    assert refuse(gone) == {("was-destroyed", "destroyed")}
    plan = import_pool.plan(ImportPool(guid=GUID, destroyed=True), gone)
    assert argvs(plan)[0] == (*BY_ID, "-D", "-f", GUID)


@pytest.mark.parametrize(
    "altroot", ["none", "mnt", "/usr/lib", "/mnt/../etc", "/mnt/tank", "/", "/mnt", "/tank"]
)
def test_a_folder_that_cannot_hold_mounts_is_refused(altroot: str) -> None:
    taken = made.dataset("tank", mounted="yes")
    assert {field for _, field in refuse(machine(unimported(), datasets=(taken,)), altroot=altroot)} == {
        "altroot"
    }


def test_what_is_known_without_waking_a_disk() -> None:
    disks = (made.used(1, "exported-pool", "exported pool old", pool="old", pool_guid=GUID), made.disk(2))
    (known,) = unimported_pools(made.inventory(*disks))
    assert (known.name, known.guid, known.disks, known.probed) == ("old", GUID, (disks[0].id,), None)
    importable = msgspec.structs.replace(
        made.inventory(*disks),
        importable=Importable(as_of="2026-11-21T11:00:00.000+00:00", pools=(unimported(),)),
    )
    (known,) = unimported_pools(importable)
    assert known.probed == unimported()
    imported = msgspec.structs.replace(importable, pools=(made.pool("old", guid=GUID),))
    assert unimported_pools(imported) == ()


def tank(*paths: str, **changes: Any) -> Pool:
    leaves = tuple(
        Vdev(guid=str(20 + at), name=path, kind="disk", role="data", state="ONLINE", path=path,
             disk=DISKS[at].id)
        for at, path in enumerate(paths)
    )  # fmt: skip
    return made.pool(vdevs=leaves, **changes)


GOOD = tuple(f"{disk.link}-part1" for disk in DISKS)


def test_an_export_says_what_is_unmounted_shared_and_interrupted() -> None:
    datasets = (made.dataset("tank", mounted="yes"), made.dataset("tank/media", mounted="yes", sharenfs="on"))
    pool = tank(*GOOD, scan=Scan(function="RESILVER", state="SCANNING"))
    plan = export_pool.plan(ExportPool(name="tank"), made.inventory(*DISKS, pools=(pool,), datasets=datasets))
    assert argvs(plan) == [("zpool", "export", "tank")]
    warnings = {f.code: f.message for f in plan.findings if f.level == "warning"}
    assert set(warnings) == {"unmounts", "shared", "resilver-interrupted"}
    assert "tank (/mnt/tank), tank/media (/mnt/tank/media)" in warnings["unmounts"]
    assert plan.destroys == ()


def test_what_the_system_runs_on_is_not_exported() -> None:
    datasets = (made.dataset("tank/var", mounted="yes", mountpoint="/var"),)
    with pytest.raises(Refused) as refused:
        export_pool.plan(ExportPool(name="tank"), made.inventory(pools=(tank(*GOOD),), datasets=datasets))
    assert codes(refused) == {("system-dataset", "name")}


def test_a_suspended_pool_is_neither_exported_nor_relinked() -> None:
    inventory = made.inventory(*DISKS, pools=(tank("/dev/sda1", GOOD[1], state="SUSPENDED"),))
    for plan, request in ((export_pool.plan, ExportPool), (relink_pool.plan, RelinkPool)):
        with pytest.raises(Refused) as refused:
            plan(request(name="tank"), inventory)  # type: ignore[arg-type]
        assert codes(refused) == {("suspended", "name")}


@pytest.mark.parametrize(
    "path", ["/dev/sda1", "/dev/disk/by-id/scsi-gone-part1", "/dev/disk/by-path/pci-1-part1"]
)
def test_a_pool_with_names_that_do_not_last_is_relinked(path: str) -> None:
    inventory = made.inventory(*DISKS, pools=(tank(path, GOOD[1], guid="77"),))
    plan = relink_pool.plan(RelinkPool(name="tank"), inventory)
    assert argvs(plan) == [("zpool", "export", "tank"), (*BY_ID, "77"), (*PROGRAM, "--pool=tank")]
    assert any(path in finding.message for finding in plan.findings)


def test_good_links_are_left_alone_and_a_missing_disk_is_no_bad_link() -> None:
    absent = Vdev(guid="9", name="/dev/disk/by-id/ata-none-part1", kind="disk", role="data", state="UNAVAIL",
                  path="/dev/disk/by-id/ata-none-part1")  # fmt: skip
    pool = tank(*GOOD)
    assert to_mend(msgspec.structs.replace(pool, vdevs=(*pool.vdevs, absent)), made.inventory(*DISKS)) == ()
    with pytest.raises(Refused) as refused:
        relink_pool.plan(RelinkPool(name="tank"), made.inventory(*DISKS, pools=(pool,)))
    assert codes(refused) == {("links-good", "name")}
    # ... unless its label is on a disk that is here under another name.
    other = made.used(3, "exported-pool", "exported pool tank", pool="tank", pool_guid=pool.guid)
    lost = msgspec.structs.replace(pool, vdevs=(*pool.vdevs, absent))
    assert to_mend(lost, made.inventory(*DISKS, other)) == (absent,)


def test_a_relinked_pool_keeps_how_it_was_imported() -> None:
    pool = tank("/dev/sda1", guid="77", properties={"readonly": "on", "altroot": "/mnt/look"})
    plan = relink_pool.plan(RelinkPool(name="tank"), made.inventory(*DISKS, pools=(pool,)))
    assert argvs(plan)[1:] == [
        (*BY_ID, "-R", "/mnt/look", "-o", "readonly=on", "77"),
        # Its label says still which machine had it before.
        (*PROGRAM, "--pool=tank", "--foreign", "--readonly"),
    ]


def test_a_pool_that_was_imported_to_a_folder_of_the_system_is_not_relinked() -> None:
    pool = tank("/dev/sda1", guid="77", properties={"altroot": "/target"})
    with pytest.raises(Refused) as refused:
        relink_pool.plan(RelinkPool(name="tank"), made.inventory(*DISKS, pools=(pool,)))
    assert codes(refused) == {("bad-altroot", "name")}


def messages(plan: Plan) -> dict[str, str]:
    return {finding.code: finding.message for finding in plan.findings}


def test_another_machines_pool_is_made_harmless_before_it_is_mounted_and_the_plan_says_how() -> None:
    plan = import_pool.plan(ImportPool(guid=GUID), machine(unimported()))
    assert plan.steps[1].title == "Mount of old what lies below /mnt, /srv and /media"
    said = messages(plan)
    for words in (
        "setuid=off",
        "devices=off",
        "sharenfs=off",
        "sharesmb=off",
        "mountpoint=none",
        "read-only",
    ):
        assert words in said["foreign"], words
    assert "nowhere else" in said["mounts"]
    assert [finding.level for finding in plan.findings if finding.code == "foreign"] == ["warning"]


def test_a_pool_that_this_machine_used_last_comes_back_as_it_was() -> None:
    plan = import_pool.plan(ImportPool(guid=GUID), machine(unimported(used_here=True)))
    assert argvs(plan) == [(*BY_ID, GUID), (*PROGRAM, "--pool=old")]
    assert "foreign" not in messages(plan)
    assert "except in folders of the system" in messages(plan)["mounts"]


def test_read_only_nothing_is_changed_and_unmounted_nothing_mounted() -> None:
    plan = import_pool.plan(ImportPool(guid=GUID, readonly=True), machine(unimported()))
    assert argvs(plan)[1] == (*PROGRAM, "--pool=old", "--foreign", "--readonly")
    assert "without set-user-ID programs and devices" in messages(plan)["foreign"]
    plan = import_pool.plan(ImportPool(guid=GUID, unmounted=True), machine(unimported()))
    assert argvs(plan)[1] == (*PROGRAM, "--pool=old", "--foreign", "--mount-nothing")
    assert "mounts" not in messages(plan)
    plan = import_pool.plan(ImportPool(guid=GUID, unmounted=True, readonly=True), machine(unimported()))
    assert len(plan.steps) == 1
