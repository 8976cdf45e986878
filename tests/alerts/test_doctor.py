"""What the doctor finds, what it finds well, and what it says it does not know."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import msgspec
import pytest

from alerts.doctor.examine import CHECKS, Examination, codes, examine
from alerts.doctor.finding import DoctorFinding
from alerts.evidence import Acknowledged, ChannelsCare, Evidence, FailingChannel, ScheduleTrouble, Space
from host.inventory import BootImport, Disk, DiskClaim, Inventory, Kernel, Property
from jobs.operation import operations
from jobs.planning.shape import read
from tests import made
from tests.alerts.cases import AT, disks, memory, raidz2
from tests.frontend.machines import leaf, root, vdev

GUID = "17762933650823709901"
NOON = datetime.fromisoformat(AT)
LATELY = (NOON - timedelta(days=3)).isoformat()
START = BootImport(
    from_cache="enabled",
    by_scan="enabled",
    mounting="enabled",
    cached=(GUID,),
    watching="enabled",
    watched=True,
)


def well(count: int = 6, facts: dict[str, Any] | None = None, **pool: Any) -> Inventory:
    """A machine of which nothing can be said but that no copy is known."""
    members = disks(count)
    machine = raidz2(members, **({"last_scrub": LATELY} | pool))
    changes = {"kernels": (Kernel(version="6.12", zfs_module=True),), "boot_import": START, "ecc": "yes",
               "zfs_module": "zfs-kmod-2.3.9"} | (facts or {})  # fmt: skip
    return msgspec.structs.replace(machine, facts=msgspec.structs.replace(machine.facts, **changes))


def growing(per_day: int, days: int = 30) -> Space:
    start = int(NOON.timestamp()) - days * 86_400
    times = tuple(start + day * 86_400 for day in range(days))
    return Space(times=times, used=tuple(float((3 << 40) + per_day * day) for day in range(days)))


def seen(machine: Inventory, known: Evidence | None = None) -> Examination:
    return examine(machine, known or memory(disks(6)))


def found(machine: Inventory, code: str, known: Evidence | None = None) -> DoctorFinding:
    (finding,) = [one for one in seen(machine, known).findings if one.code == code]
    return finding


def test_of_a_sound_machine_only_the_missing_copy_is_reported() -> None:
    known = memory(disks(6), space={GUID: growing(0)}, channels=ChannelsCare(count=1))
    result = seen(well(), known)
    assert [finding.code for finding in result.findings] == ["no-copy"]
    assert result.unknown == ()
    assert {one.code for one in result.passed} == {check.code for check in CHECKS} - {"no-copy"}


def test_every_check_either_passes_finds_or_says_what_it_does_not_know() -> None:
    result = seen(made.inventory(made.disk(1)), Evidence())
    report = {one.code for one in result.findings} | {one.code for one in result.passed}
    report |= {one.code for one in result.unknown}
    assert report == {check.code for check in CHECKS}
    assert {one.code for one in result.unknown} == {
        "kernel-without-module", "not-mounted-at-start", "no-notifications",
    }  # fmt: skip


def test_names_of_the_kernel_are_found_and_mended_by_relinking() -> None:
    machine = well()
    pool = machine.pools[0]
    leaves = [msgspec.structs.replace(one, path=f"/dev/sd{letter}1")
              for one, letter in zip(pool.vdevs[0].children, "abcdef", strict=True)]  # fmt: skip
    pool = msgspec.structs.replace(pool, vdevs=(vdev("raidz2-0", *leaves),))
    finding = found(msgspec.structs.replace(machine, pools=(pool,)), "kernel-names")
    assert finding.evidence[0].value == "/dev/sda1, /dev/sdb1, /dev/sdc1, /dev/sdd1, /dev/sde1 and /dev/sdf1"
    assert (finding.fix[0].operation, finding.fix[0].request) == ("pool.relink", {"name": "tank"})


def test_links_of_the_scsi_layer_are_advice_where_the_disk_has_its_own() -> None:
    machine = well()
    pool = machine.pools[0]
    path = "/dev/disk/by-id/scsi-SATA_WDC_WD30EFRX_WD-0001-part1"
    first, *rest = pool.vdevs[0].children
    first = msgspec.structs.replace(first, path=path)
    pool = msgspec.structs.replace(pool, vdevs=(vdev("raidz2-0", first, *rest),))
    finding = found(msgspec.structs.replace(machine, pools=(pool,)), "fragile-links")
    assert finding.evidence[0].value == "scsi-SATA_WDC_WD30EFRX_WD-0001"
    assert finding.fix[0].commands[1] == "sudo zpool import -d /dev/disk/by-id tank"


def stray(disk: Disk, kind: Any, guid: str, name: str = "tank") -> Disk:
    """The disk under another name, with the label of a member of a pool."""
    claim = DiskClaim(
        kind=kind, words=f"{kind} {name}", active=True, pool=name, pool_guid=guid, vdev_guid=f"9{disk.serial}"
    )
    return msgspec.structs.replace(disk, id=f"new-{disk.id}", links=(f"new-{disk.id}",), claims=(claim,))


def test_links_that_vanished_are_found_by_the_labels_on_disks_that_are_here() -> None:
    machine = raidz2(
        disks(6), leaves={n: {"state": "UNAVAIL", "disk": None} for n in range(6)}, last_scrub=LATELY
    )
    here = tuple(stray(disk, "pool", GUID) for disk in disks(6))
    finding = found(msgspec.structs.replace(machine, disks=here), "links-vanished")
    assert finding.severity == "critical"
    assert finding.fix[0].operation == "pool.relink"
    assert finding.evidence[1].value == "6"
    codes_of_pulled = {one.code for one in seen(msgspec.structs.replace(machine, disks=())).findings}
    assert "links-vanished" not in codes_of_pulled and "disk-trouble" in codes_of_pulled


def test_a_pool_that_is_here_and_not_imported_can_be_imported_by_guid() -> None:
    machine = made.inventory(*(stray(disk, "exported-pool", "42", "old") for disk in disks(2)))
    finding = found(machine, "pool-not-imported", Evidence())
    assert finding.title == "Pool old is present but not imported"
    assert finding.fix[0].page == "/import/"
    assert (finding.fix[1].operation, finding.fix[1].request) == ("pool.import", {"guid": "42"})
    assert finding.evidence[0].value == "bay A1 and bay A2"


@pytest.mark.parametrize(
    ("facts", "code", "severity"),
    [
        ({"zfs_module": "zfs-kmod-2.2.4"}, "zfs-versions-differ", "warning"),
        ({"kernels": (Kernel(version="6.13", zfs_module=False), Kernel(version="6.12", zfs_module=True))},
         "kernel-without-module", "critical"),
        ({"kernels": (Kernel(version="6.12", zfs_module=True), Kernel(version="6.1", zfs_module=False))},
         "kernel-without-module", "warning"),
        ({"ecc": "no"}, "no-ecc", "advice"),
        ({"ecc": "unknown"}, "no-ecc", "advice"),
        ({"boot_import": msgspec.structs.replace(START, cached=())}, None, None),
        ({"boot_import": msgspec.structs.replace(START, cached=("1",))}, "not-imported-at-start", "warning"),
        ({"boot_import": msgspec.structs.replace(START, from_cache="disabled")},
         "not-imported-at-start", "warning"),
        ({"boot_import": msgspec.structs.replace(START, mounting="disabled")},
         "not-mounted-at-start", "warning"),
        ({"boot_import": msgspec.structs.replace(START, watched=False)}, "zed-stopped", "warning"),
        ({"boot_import": msgspec.structs.replace(START, watching="disabled")}, "zed-stopped", "warning"),
    ],
)  # fmt: skip
def test_what_the_next_start_will_miss(facts: dict[str, Any], code: str | None, severity: str | None) -> None:
    report = [(one.code, one.severity) for one in seen(well(facts=facts)).findings if one.code != "no-copy"]
    assert report == ([(code, severity)] if code else [])


def test_the_kernel_that_starts_next_is_the_one_the_menu_names() -> None:
    kernels = (Kernel(version="6.13", zfs_module=False), Kernel(version="6.12", zfs_module=True))
    finding = found(well(facts={"kernels": kernels, "next_kernel": "6.12"}), "kernel-without-module")
    assert finding.severity == "warning"
    assert finding.fix[0].commands == (
        "sudo apt-get install linux-headers-6.13", "sudo dkms autoinstall -k 6.13",
    )  # fmt: skip


def test_an_ashift_below_the_sector_is_found() -> None:
    finding = found(well(ashift=9), "ashift-too-small")
    assert [figure.value for figure in finding.evidence[:2]] == ["512 bytes (ashift 9)", "4096 bytes"]
    assert finding.needs_note


def test_a_single_disk_beside_a_raidz_is_critical() -> None:
    machine = well(7)
    members = disks(7)
    tops = (vdev("raidz2-0", *map(leaf, members[:6])), leaf(members[6]))
    pool = msgspec.structs.replace(machine.pools[0], vdevs=tops)
    finding = found(msgspec.structs.replace(machine, pools=(pool,)), "mixed-redundancy")
    assert finding.severity == "critical"
    assert [(one.name, one.value) for one in finding.evidence] == [
        ("raidz2-0", "survives 2"), ("a single disk", "survives 0"),
    ]  # fmt: skip


def test_a_large_pool_wants_a_spare_and_one_that_fits() -> None:
    assert "no-spare" not in {one.code for one in seen(well(7)).findings}
    assert found(well(8), "no-spare", memory(disks(8))).severity == "advice"
    members = disks(9)
    small = msgspec.structs.replace(members[8], size_bytes=made.WD_BYTES // 2)
    machine = raidz2(members[:8], spares=(leaf(small, role="spare", state="AVAIL"),), last_scrub=LATELY)
    machine = msgspec.structs.replace(machine, disks=(*machine.disks, small))
    finding = found(machine, "spare-too-small", memory(members))
    assert finding.title == "No spare of tank is large enough for 8 of its disks"


def filled(percent: int) -> Inventory:
    machine = well()
    used = percent * (10 << 40) // 100
    top = root("tank", used=str(used), available=str((10 << 40) - used))
    return msgspec.structs.replace(machine, datasets=(top,))


@pytest.mark.parametrize(
    ("percent", "severity"), [(79, None), (80, "warning"), (94, "warning"), (95, "critical")]
)
def test_a_full_pool_is_reported_from_80_percent_on(percent: int, severity: str | None) -> None:
    report = [one.severity for one in seen(filled(percent)).findings if one.code == "nearly-full"]
    assert report == ([severity] if severity else [])


def test_a_pool_that_fills_up_is_reported_two_months_before() -> None:
    known = memory(disks(6), space={GUID: growing(200 << 30)})
    finding = found(well(), "full-soon", known)
    assert finding.title == "tank will be full in 36 days"
    slow = memory(disks(6), space={GUID: growing(20 << 30)})
    assert "full-soon" not in {one.code for one in seen(well(), slow).findings}
    few = memory(disks(6), space={GUID: growing(200 << 30, days=6)})
    assert "How soon tank will be full can be estimated after 7 days of measurements." in [
        one.words for one in seen(well(), few).unknown
    ]


@pytest.mark.parametrize(("days", "reported"), [(35, False), (36, True)])
def test_a_scrub_is_overdue_after_35_days(days: int, reported: bool) -> None:
    machine = well(last_scrub=(NOON - timedelta(days=days)).isoformat())
    assert ("scrub-overdue" in {one.code for one in seen(machine).findings}) is reported


def test_a_pool_without_any_scrub_is_judged_by_its_age() -> None:
    machine = well(last_scrub=None)
    assert "It is not known when tank was last scrubbed." in [one.words for one in seen(machine).unknown]
    made_at = int((NOON - timedelta(days=50)).timestamp())
    machine = msgspec.structs.replace(machine, datasets=(root("tank", creation=str(made_at)),))
    finding = found(machine, "scrub-overdue")
    assert finding.title == "tank has not been scrubbed in the 50 days since it was created"
    assert finding.fix[0].operation == "pool.scrub"


def test_features_to_upgrade_are_advice() -> None:
    finding = found(well(properties={"feature@block_cloning": "disabled"}), "features-to-upgrade")
    assert (finding.severity, finding.fix[0].operation) == ("advice", "pool.upgrade")
    assert finding.evidence[0].value == "block_cloning"


def dataset(**values: Any) -> Inventory:
    machine = well()
    properties = {"canmount": "on", "mounted": "no", "mountpoint": "/mnt/home"} | values.pop("properties", {})
    one = msgspec.structs.replace(made.dataset("tank/home", **properties), **values)
    return msgspec.structs.replace(machine, datasets=(*machine.datasets, one))


def test_a_dataset_over_a_folder_with_content_gets_exact_steps() -> None:
    finding = found(dataset(folder_empty=False), "not-mounted")
    assert finding.title == "tank/home is not mounted: the folder /mnt/home is not empty"
    assert finding.fix[0].commands == (
        "sudo mv /mnt/home /mnt/home.was",
        "sudo mkdir /mnt/home",
        "sudo zfs mount tank/home",
    )
    assert found(dataset(folder_empty=True), "not-mounted").fix[0].commands == ("sudo zfs mount tank/home",)


@pytest.mark.parametrize(
    "properties",
    [{"mounted": "yes"}, {"canmount": "noauto"}, {"canmount": "off"}, {"mountpoint": "none"},
     {"mountpoint": "legacy"}, {"keystatus": "unavailable"}],
)  # fmt: skip
def test_a_dataset_that_is_not_to_be_mounted_is_no_finding(properties: dict[str, str]) -> None:
    assert "not-mounted" not in {one.code for one in seen(dataset(properties=properties)).findings}


ASKED = Property(value="/etc/sudoers.d", source="local")


@pytest.mark.parametrize(
    "properties",
    [{"mountpoint": "/etc/sudoers.d"}, {"mountpoint": "none", "nasweb:asked-mountpoint": ASKED}],
)
def test_a_mount_point_that_was_not_granted_is_reported_with_the_way_on(properties: dict[str, Any]) -> None:
    machine = dataset(properties=properties)
    finding = found(machine, "mount-refused")
    assert finding.title == "tank/home wants to be mounted at /etc/sudoers.d, which was refused"
    assert (finding.fix[0].operation, finding.fix[0].request) == (
        "dataset.set", {"name": "tank/home", "properties": {"mountpoint": "/mnt/tank/home"}},
    )  # fmt: skip
    # To mount it there is no way out.
    assert "not-mounted" not in {one.code for one in seen(machine).findings}


@pytest.mark.parametrize(
    "properties",
    [{"mountpoint": "/mnt/home", "mounted": "yes", "nasweb:asked-mountpoint": ASKED},
     {"mountpoint": "none", "nasweb:asked-mountpoint": msgspec.structs.replace(ASKED, source="inherited")},
     {"mountpoint": "/var", "mounted": "yes"}, {"mountpoint": "/etc/x", "canmount": "noauto"}],
)  # fmt: skip
def test_what_has_a_mount_point_again_was_not_refused(properties: dict[str, Any]) -> None:
    assert "mount-refused" not in {one.code for one in seen(dataset(properties=properties)).findings}


def test_dedup_that_saves_little_is_reported_with_what_it_costs() -> None:
    machine = dataset(properties={"mounted": "yes", "dedup": Property(value="on", source="local")})
    pool = msgspec.structs.replace(
        machine.pools[0], properties={"dedupratio": "1.12", "dedup_table_size": str(33 << 30)}
    )
    finding = found(msgspec.structs.replace(machine, pools=(pool,)), "dedup-without-gain")
    assert finding.title == "Deduplication in tank saves 11 % and costs much more"
    assert finding.fix[0].request == {"name": "tank/home", "properties": {"dedup": "off"}}
    rich = msgspec.structs.replace(pool, properties={"dedupratio": "1.30"})
    assert "dedup-without-gain" not in {
        one.code for one in seen(msgspec.structs.replace(machine, pools=(rich,))).findings
    }


def test_a_suspended_pool_is_reported_and_nothing_else_is_said_of_it() -> None:
    machine = well(state="SUSPENDED", properties={"feature@x": "disabled"}, ashift=9)
    machine = msgspec.structs.replace(machine, datasets=())
    report = [one.code for one in seen(machine).findings]
    assert report == ["pool-stands", "no-copy"]


def test_what_is_acknowledged_stands_apart_until_it_lapses() -> None:
    ack = Acknowledged(note="at my sister's", by="ada", at=AT, until="2026-11-21")
    known = memory(disks(6), acknowledged={("no-copy", GUID): ack})
    result = seen(well(), known)
    assert result.findings == ()
    assert [one.acknowledged for one in result.acknowledged] == [ack]
    late = msgspec.structs.replace(well(), as_of="2026-11-22T00:00:01+00:00")
    assert [one.code for one in seen(late, known).findings] == ["no-copy"]


def test_every_fix_is_a_request_that_its_operation_can_read() -> None:
    machines = [
        well(8, ashift=9, properties={"feature@x": "disabled"}, last_scrub="2026-01-01T00:00:00+00:00"),
        dataset(properties={"mounted": "yes", "dedup": Property(value="on", source="local")}),
        made.inventory(stray(made.disk(1), "exported-pool", "42", "old")),
        raidz2(disks(6), leaves={1: {"state": "FAULTED"}, 2: {"state": "OFFLINE"}, 3: {"read_errors": 1}}),
        raidz2(disks(6), gone=[0, 1, 2], state="SUSPENDED"),
    ]
    fixes = [step for machine in machines for one in seen(machine).findings for step in one.fix
             if step.operation]  # fmt: skip
    assert len({step.operation for step in fixes}) >= 6
    for step in fixes:
        known = operations()[step.operation or ""]
        assert read(known.request, step.request).findings == (), step


def test_codes_are_those_that_findings_have() -> None:
    assert len(codes()) == len(CHECKS) + 1


def test_it_asks_for_a_channel_where_nobody_is_notified() -> None:
    known = memory(disks(6), channels=ChannelsCare(count=0))
    finding = found(well(), "no-notifications", known)
    assert (finding.severity, finding.fix[0].page) == ("advice", "/settings/notifications/")


def test_messages_that_do_not_arrive_are_reported_with_the_reason() -> None:
    failing = FailingChannel(id=3, name="Anna", since=AT, said="The server did not answer.", waiting=2)
    known = memory(disks(6), channels=ChannelsCare(count=1, failing=(failing,)))
    finding = found(well(), "messages-do-not-arrive", known)
    assert finding.title == "Nobody has been notified: messages to “Anna” do not arrive"
    assert ("Said", "The server did not answer.") in [(one.name, one.value) for one in finding.evidence]
    assert finding.fix[0].page == "/settings/notifications/3/"


def test_a_schedule_that_failed_is_reported_with_its_job() -> None:
    trouble = ScheduleTrouble(
        id=1, what="scrub", pool="tank", pool_guid=GUID, since=AT, said="The pool is busy.", job=7
    )
    finding = found(well(), "schedule-failed", memory(disks(6), schedules_failing=(trouble,)))
    assert (finding.title, finding.fix[0].page) == ("tank: the scheduled scrub failed", "/jobs/7/")


def test_what_is_to_be_typed_is_quoted() -> None:
    odd = dataset(folder_empty=False, properties={"mountpoint": "/mnt/My Files; rm -rf $HOME"})
    assert found(odd, "not-mounted").fix[0].commands == (
        "sudo mv '/mnt/My Files; rm -rf $HOME' '/mnt/My Files; rm -rf $HOME.was'",
        "sudo mkdir '/mnt/My Files; rm -rf $HOME'",
        "sudo zfs mount tank/home",
    )
