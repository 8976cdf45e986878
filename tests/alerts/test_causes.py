"""From machines to causes: one for each trouble, with the bay and the next step."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from alerts.evidence import Evidence
from alerts.incidents.cause import Cause
from alerts.incidents.causes import causes
from host.inventory import Absent, Bay, Disk, DiskClaim, Scan, Vdev
from tests import made
from tests.alerts.cases import AT, disks, memory, raidz2, reading, remembered
from tests.frontend.machines import leaf, tank, vdev


def only(found: tuple[Cause, ...]) -> Cause:
    assert [cause.title for cause in found[1:]] == []
    return found[0]


def operations(cause: Cause) -> list[str]:
    return [step.operation or step.page or "by hand" for step in cause.steps]


def test_a_healthy_machine_has_no_cause() -> None:
    members = disks(6)
    assert causes(raidz2(members), memory(members)) == ()
    assert causes(tank(), Evidence()) == ()


def test_a_distributed_spare_is_not_missed_though_it_has_no_disk() -> None:
    members = disks(6)
    spare = Vdev(guid="77", name="draid2-0-0", kind="dspare", role="spare", state="AVAIL", path="draid2-0-0")
    assert causes(raidz2(members, spares=[spare]), memory(members)) == ()


def test_a_pulled_disk_is_named_by_its_bay() -> None:
    members = disks(6)
    cause = only(causes(raidz2(members, gone=[2]), memory(members, gone=[2])))
    assert (cause.kind, cause.severity, cause.sure) == ("disk-gone", "critical", True)
    assert cause.title == "Bay A3: a disk of tank is gone"
    assert cause.details == (
        "Bay A3 (WDC WD30EFRX, serial WD-0003) is not in the machine.",
        "There was no warning: it was pulled, or it lost its cable or power.",
        "raidz2-0 survives 1 more failure.",
    )
    assert cause.since == AT
    assert operations(cause) == ["by hand", "/pools/tank/replace/?vdev=9WD-0003"]
    assert [(spot.bay, spot.here) for spot in cause.spots] == [("A3", False)]


def test_a_bay_that_is_only_guessed_is_not_said_for_certain() -> None:
    members = disks(6)
    machine, known = raidz2(members, gone=[2]), memory(members, gone=[2])
    bay = Bay(
        label="A3",
        group="Disks",
        row=0,
        column=2,
        missing=Absent(id=members[2].id, serial="WD-0003", model="WDC", since=AT),
    )
    doubt = (
        "Bay A3 is only guessed from the order of the ports: compare the serial number before you pull a "
        "disk."
    )
    assert only(causes(msgspec.structs.replace(machine, bays=(bay,)), known)).details[-1] == doubt
    mapped = msgspec.structs.replace(machine, bays=(bay,), chassis="Tower")
    assert doubt not in only(causes(mapped, known)).details


def test_a_new_disk_in_the_bay_of_one_that_left_is_what_to_replace_it_by() -> None:
    members = disks(6)
    machine = raidz2(members, gone=[2])
    new = made.disk(9, bay=members[2].bay)
    machine = msgspec.structs.replace(machine, disks=(*machine.disks, new))
    cause = only(causes(machine, memory(members, gone=[2])))
    assert operations(cause) == ["/pools/tank/replace/?vdev=9WD-0003"]
    assert cause.steps[0].words.startswith(
        f"Another disk is in bay A3 now ({new.model}, serial {new.serial})"
    )


def test_a_disk_that_warned_before_it_left_is_accused() -> None:
    members = disks(6)
    known = memory(members, gone=[2]).disks
    known[members[2].id] = remembered(members[2], gone_since=AT, reading=reading(pending_sectors=12))
    cause = only(causes(raidz2(members, gone=[2]), Evidence(disks=known)))
    assert "the disk itself is the cause: it reports 12 sectors that cannot be read" in cause.details[1]


def test_a_cable_that_garbled_before_is_accused() -> None:
    members = disks(6)
    known = memory(members, gone=[2]).disks
    known[members[2].id] = remembered(members[2], gone_since=AT, reading=reading(crc_errors=14))
    assert (
        "CRC errors rose by 14" in only(causes(raidz2(members, gone=[2]), Evidence(disks=known))).details[1]
    )


def test_a_disk_the_kernel_lost_is_unsure_until_zfs_says_so() -> None:
    members = disks(6)
    machine = raidz2(members, gone=[2], leaves={2: {"state": "ONLINE", "disk": None}})
    assert only(causes(machine, memory(members, gone=[2]))).sure is False


def test_a_spare_that_took_over_is_reported() -> None:
    members = disks(7)
    lost = leaf(members[2], state="REMOVED", disk=None)
    node = vdev("spare-2", lost, leaf(members[6]), state="DEGRADED")
    rest = [leaf(disk) for disk in members[:6] if disk is not members[2]]
    machine = raidz2(members, gone=[2])
    pool = made.pool(
        state="DEGRADED", vdevs=(vdev("raidz2-0", *rest[:2], node, *rest[2:], state="DEGRADED"),),
        scan=Scan(function="RESILVER", state="SCANNING", percent=37.25),
    )  # fmt: skip
    machine = msgspec.structs.replace(machine, pools=(pool,))
    report = only(causes(machine, memory(members, gone=[2]))).details
    assert report[2].endswith("took over and is being written: 37.2 % are written.")
    assert report[3] == "raidz2-0 survives 1 more failure."
    done = msgspec.structs.replace(pool, scan=Scan(function="RESILVER", state="FINISHED"))
    report = only(causes(msgspec.structs.replace(machine, pools=(done,)), memory(members, gone=[2]))).details
    assert report[2].endswith("has taken over for it.")
    assert report[3] == "raidz2-0 survives 2 more failures."


def test_disks_of_one_controller_that_go_together_are_one_cause() -> None:
    members = [
        msgspec.structs.replace(disk, port=f"pci-0000:0{1 + n // 4}:00.0-sas-phy{n % 4}-lun-0")
        for n, disk in enumerate(disks(8))
    ]
    gone = [4, 5, 6, 7]
    cause = only(causes(raidz2(members, gone=gone, state="DEGRADED"), memory(members, gone=gone)))
    assert (cause.kind, cause.title) == ("controller-gone", "4 disks of tank disappeared at the same time")
    assert "nothing on pci-0000:02:00.0 responds" in cause.details[1]
    assert [spot.bay for spot in cause.spots] == ["A5", "A6", "A7", "A8"]


def test_two_disks_of_different_controllers_are_two_causes() -> None:
    members = [
        msgspec.structs.replace(disk, port=f"pci-0000:0{n}:00.0-ata-1") for n, disk in enumerate(disks(6))
    ]
    found = causes(raidz2(members, gone=[1, 4]), memory(members, gone=[1, 4]))
    assert [cause.spots[0].bay for cause in found] == ["A2", "A5"]


def test_a_suspended_pool_comes_first_and_says_it_all() -> None:
    members = disks(6)
    gone = [0, 2, 4]
    failing = msgspec.structs.replace(made.disk(9), health="failing")
    machine = raidz2(members, gone=gone, state="SUSPENDED")
    machine = msgspec.structs.replace(machine, disks=(*machine.disks, failing))
    found = causes(machine, memory(members, gone=gone))
    assert [cause.kind for cause in found] == ["pool-suspended", "disk-failing"]
    assert found[0].title == "tank is suspended: its disks are gone"
    assert "do not turn it off" in found[0].details[0]
    assert any("A1, Bay A3, Bay A5" in step.words for step in found[0].steps)
    assert "pool.clear" in operations(found[0])


def test_disks_that_left_a_suspended_pool_are_reported_though_zfs_still_calls_them_online() -> None:
    members = disks(6)
    machine = raidz2(members, leaves={n: {"disk": None} for n in (0, 2, 4)}, state="SUSPENDED")
    machine = msgspec.structs.replace(machine, disks=tuple(d for n, d in enumerate(members) if n % 2))
    found = only(causes(machine, memory(members, gone=[0, 2, 4])))
    assert found.title == "tank is suspended: its disks are gone"
    assert [spot.bay for spot in found.spots] == ["A1", "A3", "A5"]
    assert sum(line.endswith(" is gone.") for line in found.details) == 3


def labelled(disk: Disk) -> DiskClaim:
    return DiskClaim(
        kind="pool", words="member of pool tank that ZFS does not reach", active=True, pool="tank",
        pool_guid="17762933650823709901", vdev_guid=f"9{disk.serial}",
    )  # fmt: skip


def test_links_that_vanished_are_no_missing_disks() -> None:
    members = disks(6)
    renamed = [
        msgspec.structs.replace(disk, id=f"wwn-{n}", links=(f"wwn-{n}",), claims=(labelled(disk),))
        for n, disk in enumerate(members)
    ]
    machine = raidz2(members, leaves={n: {"state": "UNAVAIL", "disk": None} for n in range(6)})
    machine = msgspec.structs.replace(machine, disks=tuple(renamed))
    cause = only(causes(machine, memory(members)))
    assert (cause.kind, operations(cause)) == ("link-vanished", ["pool.relink"])
    assert cause.steps[0].request == {"name": "tank"}
    pulled = msgspec.structs.replace(machine, disks=tuple(renamed[1:]))
    kinds = [(one.kind, len(one.subjects)) for one in causes(pulled, memory(members, gone=[0]))]
    assert kinds == [("link-vanished", 5), ("disk-gone", 1)]


@pytest.mark.parametrize(
    ("counts", "health", "word", "first"),
    [
        ({}, "good", "SMART, the disk is healthy", "by hand"),
        ({"crc_errors": 9}, "good", "the cable, the connector", "by hand"),
        ({"pending_sectors": 3}, "warning", "the disk itself", "/pools/tank/replace/?vdev=9WD-0002"),
    ],
)
def test_errors_are_blamed_on_what_smart_accuses(
    counts: dict[str, int], health: Any, word: str, first: str
) -> None:
    members = disks(6)
    members[1] = msgspec.structs.replace(members[1], health=health)
    known = memory(members).disks
    known[members[1].id] = remembered(members[1], reading=reading(**counts))
    machine = raidz2(members, leaves={1: {"checksum_errors": 7}})
    cause = only(causes(machine, Evidence(disks=known)))
    assert cause.title == "Bay A2: tank reports errors on this disk"
    assert cause.details[0].endswith("7 checksum errors.")
    assert word in cause.details[2]
    assert operations(cause)[:2] == ["disk.locate", first]
    assert operations(cause)[-2:] == ["pool.scrub", "pool.clear"]
    assert cause.steps[-1].request == {"name": "tank", "vdev": "9WD-0002"}


def test_checksum_errors_on_many_sound_disks_are_not_the_disks() -> None:
    members = disks(6)
    machine = raidz2(members, leaves={n: {"checksum_errors": 3 + n} for n in range(4)})
    cause = only(causes(machine, memory(members)))
    assert (cause.kind, cause.title) == ("checksums-everywhere", "4 disks of tank have checksum errors")
    assert "Bay A1 3, Bay A2 4, Bay A3 5, Bay A4 6" in cause.details[0]
    assert "one controller, pci-0000:00:1f.2" in cause.details[1]
    assert not any("replace" in name for name in operations(cause))


def test_a_faulted_disk_is_reported_with_its_counts() -> None:
    members = disks(6)
    machine = raidz2(
        members, leaves={3: {"state": "FAULTED", "read_errors": 12, "write_errors": 12}}, state="DEGRADED"
    )
    cause = only(causes(machine, memory(members)))
    assert cause.title == "Bay A4: tank no longer uses this disk"
    assert "12 read, 12 write, 0 checksum errors" in cause.details[0]
    assert operations(cause)[0] == "disk.locate"
    assert operations(cause)[-1] == "/pools/tank/replace/?vdev=9WD-0004"


def test_a_failing_disk_with_errors_is_one_cause() -> None:
    members = disks(6)
    members[1] = msgspec.structs.replace(members[1], health="failing")
    cause = only(causes(raidz2(members, leaves={1: {"read_errors": 1}}), memory(members)))
    assert (cause.kind, cause.severity) == ("disk-errors", "critical")
    offline = only(causes(raidz2(members, leaves={1: {"state": "OFFLINE"}}), memory(members)))
    assert (offline.kind, offline.severity) == ("disk-offline", "critical")
    cause = only(causes(raidz2(members), memory(members)))
    assert (cause.kind, cause.title) == ("disk-failing", "Bay A2: the disk is failing")


def test_damaged_files_are_named() -> None:
    members = disks(6)
    files = tuple(f"/mnt/tank/{n}.jpg" for n in range(12))
    cause = only(causes(raidz2(members, data_errors=12, damaged_files=files), memory(members)))
    assert cause.title == "tank: 12 files damaged"
    assert cause.details[1] == "Damaged: /mnt/tank/0.jpg"
    assert cause.details[-1] == "… and 2 more."


def test_what_nothing_explains_is_reported_in_the_words_of_zfs() -> None:
    members = disks(6)
    cause = only(causes(raidz2(members, state="DEGRADED", status="Odd things."), memory(members)))
    assert (cause.kind, cause.details) == ("pool-degraded", ("ZFS says: Odd things.",))


def test_transfer_errors_alone_are_a_cable() -> None:
    members = disks(6)
    known = memory(members).disks
    known[members[5].id] = remembered(members[5], reading=reading(crc_errors=4))
    cause = only(causes(raidz2(members), Evidence(disks=known)))
    assert (cause.kind, cause.severity) == ("transfer-errors", "warning")
    assert cause.details[0].endswith("4 new CRC errors within days.")


_STATES = ("ONLINE", "DEGRADED", "FAULTED", "OFFLINE", "UNAVAIL", "REMOVED", "UNKNOWN")


@given(
    states=st.lists(st.sampled_from(_STATES), min_size=6, max_size=6),
    errors=st.lists(st.integers(0, 3), min_size=6, max_size=6),
    state=st.sampled_from(["ONLINE", "DEGRADED", "SUSPENDED", "UNAVAIL"]),
    known=st.booleans(),
)
def test_every_member_in_trouble_is_reported_once(
    states: list[str], errors: list[int], state: str, known: bool
) -> None:
    members = disks(6)
    gone = [n for n, word in enumerate(states) if word == "REMOVED"]
    changed = {
        n: {"state": word, "checksum_errors": errors[n], "disk": None if n in gone else members[n].id}
        for n, word in enumerate(states)
    }
    found = causes(
        raidz2(members, gone=gone, leaves=changed, state=state),
        memory(members, gone=gone) if known else Evidence(),
    )
    subjects = [subject for cause in found for subject in cause.subjects]
    assert len(subjects) == len(set(subjects))
    bad = {"FAULTED", "OFFLINE", "UNAVAIL", "REMOVED"}
    for n, word in enumerate(states):
        if word in bad or (errors[n] and word != "UNKNOWN"):
            report = f"leaf:9{members[n].serial}" in subjects
            assert report or state in {"SUSPENDED", "UNAVAIL"}, (n, word)
    assert all(cause.title and cause.details and cause.steps for cause in found)
    if state == "SUSPENDED":
        assert found[0].kind == "pool-suspended"
