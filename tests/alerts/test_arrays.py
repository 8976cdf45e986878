"""md arrays in the incidents and with the doctor: what is reported, by which disk, and what to do."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from rest_framework.test import APIClient

from alerts import arrays_seen
from alerts.doctor.examine import examine
from alerts.evidence import Evidence, SeenMember
from alerts.incidents.cause import Cause
from alerts.incidents.causes import causes
from alerts.models import ArraySeen, Incident
from alerts.tasks import watch
from host.inventory import ArrayMember, ArrayWork, Inventory, Partition
from host.simulated import SimulatedHost
from jobs import cache
from tests import made
from tests.conftest import refresh
from tests.pools.arrays import UUID, array, machine, member

AT = "2026-11-21T12:00:00+00:00"


def seen(number: int, **changes: Any) -> SeenMember:
    disk = made.disk(number)
    values = {"disk": disk.id, "serial": disk.serial, "model": disk.model, "bay": disk.bay, "port": disk.port}
    return SeenMember(**(values | changes))


BOTH = Evidence(arrays={UUID: (seen(1), seen(2))})


def without(number: int, inventory: Inventory) -> Inventory:
    """The machine after that disk was pulled."""
    gone = made.disk(number).id
    return msgspec.structs.replace(inventory, disks=tuple(d for d in inventory.disks if d.id != gone))


def only(found: tuple[Cause, ...]) -> Cause:
    assert [cause.title for cause in found[1:]] == []
    return found[0]


def found_by_doctor(inventory: Inventory) -> dict[str, str]:
    inventory = msgspec.structs.replace(inventory, as_of=AT)
    findings = examine(inventory, Evidence()).findings
    return {one.code: one.severity for one in findings if one.code.startswith("array-")}


def test_an_array_that_is_whole_is_no_trouble() -> None:
    inventory = machine(array(member(1), member(2)))
    assert causes(inventory, BOTH) == ()
    assert found_by_doctor(inventory) == {}


def test_a_member_that_was_pulled_is_named_by_its_bay_and_serial() -> None:
    memory = Evidence(arrays={UUID: (seen(1), seen(2, gone_since=AT))})
    cause = only(causes(without(2, machine(array(member(1)))), memory))
    assert (cause.kind, cause.severity, cause.since) == ("array-degraded", "critical", AT)
    assert cause.title == "Array backup: Bay A2 (WDC WD30EFRX, serial WD-0002) is missing"
    assert cause.details == (
        "Bay A2 (WDC WD30EFRX, serial WD-0002) is not in the array.",
        "No further member may fail: the next failure loses the data.",
    )
    assert [(spot.bay, spot.here) for spot in cause.spots] == [("A2", False)]
    assert [step.page for step in cause.steps] == [None, "/arrays/backup/"]


def beside(*members: ArrayMember, uuid: str = UUID) -> Inventory:
    """A system on `members`, and disk 3 that says it belongs to the array of this UUID."""
    whole = machine(array(*members, name="root", mountpoints=("/",)))
    label = Partition(
        number=3, path="/dev/sdc3", size_bytes=8 << 30, fstype="linux_raid_member",
        uuid=uuid.replace(":", ""),
    )  # fmt: skip
    disks = tuple(made.disk(3, partitions=(label,)) if d.id == made.disk(3).id else d for d in whole.disks)
    return msgspec.structs.replace(whole, disks=disks)


def test_a_drive_that_holds_the_same_system_and_is_no_half_of_it_is_reported() -> None:
    (alone, twice) = causes(beside(member(1)), Evidence())
    assert alone.title == "The system runs from a single drive"
    assert (twice.kind, twice.severity, twice.sure) == ("system-twice", "warning", False)
    assert twice.title == "Bay A3 (WDC WD30EFRX, serial WD-0003) holds another copy of this system"
    assert "The machine may start from it" in twice.details[-1]
    assert [step.page for step in twice.steps] == ["/boot/", None]
    assert [(spot.id, spot.bay) for spot in twice.spots] == [(made.disk(3).id, "A3")]


def test_it_is_reported_beside_a_whole_pair_too() -> None:
    twice = only(causes(beside(member(1), member(2)), Evidence()))
    assert [step.words for step in twice.steps] == ["Remove it before the machine starts again."]


def test_what_belongs_to_another_array_is_no_copy_of_the_system() -> None:
    other = UUID[:-1] + ("0" if UUID[-1] != "0" else "1")
    assert causes(beside(member(1), member(2), uuid=other), Evidence()) == ()


def test_a_stick_without_a_bay_is_named_by_its_port() -> None:
    memory = Evidence(arrays={UUID: (seen(1), seen(2, bay=None, port="pci-0000:00:14.0-usb-0:3"))})
    root = array(member(1), name="root", mountpoints=("/",))
    cause = only(causes(without(2, machine(root)), memory))
    assert "Port pci-0000:00:14.0-usb-0:3 (WDC WD30EFRX, serial WD-0002)" in cause.title
    assert cause.steps[-1].page == "/boot/"


def test_a_system_that_never_had_a_second_half_is_a_warning_that_leads_to_it() -> None:
    root = array(member(1), name="root", mountpoints=("/",))
    cause = only(causes(machine(root), Evidence()))
    assert (cause.severity, cause.title) == ("warning", "The system runs from a single drive")
    assert [step.page for step in cause.steps] == ["/boot/"]


def test_a_faulty_member_is_one_incident() -> None:
    inventory = machine(array(member(1), member(2, state="faulty", slot=None)))
    cause = only(causes(inventory, BOTH))
    assert cause.title.endswith("serial WD-0002) is faulty")
    assert found_by_doctor(inventory) == {"array-degraded": "critical", "array-member-faulty": "warning"}


def test_redundancy_that_is_left_is_a_warning() -> None:
    members = [member(n) for n in (1, 2, 3)]
    cause = only(causes(machine(array(*members, level="raid6", wanted=4)), Evidence()))
    assert (cause.severity, cause.title) == ("warning", "Array backup: 1 member is missing")
    assert "1 further member may fail." in cause.details


def test_a_rebuild_is_reported_and_asks_for_nothing() -> None:
    work = ArrayWork(kind="recovery", percent=42.0)
    inventory = machine(array(member(1), member(3, state="rebuilding", slot=1), work=work))
    cause = only(causes(inventory, BOTH))
    assert any("(42 %)" in line for line in cause.details)
    assert [step.words for step in cause.steps] == ["Watch its progress."]
    assert found_by_doctor(inventory) == {}


def test_a_member_that_came_back_is_missing_no_more() -> None:
    work = ArrayWork(kind="recovery", percent=42.0)
    inventory = machine(array(member(1), member(2, state="rebuilding", slot=1), work=work))
    cause = only(causes(inventory, BOTH))
    assert cause.title.endswith(f"serial {made.disk(2).serial}) is being rebuilt"), cause.title


def test_a_raid5_that_is_being_made_is_no_trouble() -> None:
    members = [member(1), member(2), member(3, state="rebuilding")]
    work = ArrayWork(kind="recovery", percent=1.0)
    inventory = machine(array(*members, level="raid5", wanted=3, work=work))
    assert causes(inventory, Evidence()) == ()
    assert len(causes(inventory, Evidence(arrays={UUID: (seen(1), seen(2), seen(4))}))) == 1


def test_an_array_that_waits_is_reported() -> None:
    inventory = machine(array(member(1), state="inactive", level="unknown", wanted=0))
    cause = only(causes(inventory, BOTH))
    assert (cause.kind, cause.severity) == ("array-stopped", "critical")
    assert cause.details[0] == "Bay A2 (WDC WD30EFRX, serial WD-0002) is missing."
    assert found_by_doctor(inventory) == {"array-stopped": "critical"}


@pytest.mark.parametrize(
    ("level", "mismatches", "severity"),
    [("raid1", 128, None), ("raid1", 2048, "advice"), ("raid10", 128, None), ("raid5", 8, "warning"),
     ("raid6", 0, None)],
)  # fmt: skip
def test_sectors_that_differ(level: str, mismatches: int, severity: str | None) -> None:
    members = [member(n) for n in range(1, 5)]
    inventory = machine(array(*members, level=level, wanted=4, mismatches=mismatches))
    assert found_by_doctor(inventory).get("array-mismatches") == severity


def test_an_array_without_a_bitmap_is_advised_one() -> None:
    assert found_by_doctor(machine(array(member(1), member(2), bitmap=False))) == {
        "array-without-bitmap": "advice"
    }
    stripe = array(member(1), member(2), level="raid0", bitmap=False, mismatches=None)
    assert found_by_doctor(machine(stripe)) == {}


@pytest.mark.django_db
def test_members_are_remembered_only_while_an_array_is_whole() -> None:
    arrays_seen.keep(machine(array(member(1), member(2))))
    arrays_seen.keep(machine(array(member(1))))
    assert arrays_seen.stored() == {UUID: (seen(1), seen(2))}
    arrays_seen.keep(machine(array(member(1), member(3, slot=1))))
    assert arrays_seen.stored() == {UUID: (seen(1), seen(3))}
    assert ArraySeen.objects.count() == 1


def test_a_pulled_stick_is_an_incident_with_its_serial(simulated: SimulatedHost, api: APIClient) -> None:
    refresh()
    watch()
    inventory = cache.current()
    assert inventory is not None
    stick = inventory.disk(inventory.arrays[0].members[1].disk or "")
    assert stick is not None
    simulated.pull(stick.id)
    refresh()
    watch()
    row = Incident.objects.get(kind="array-degraded", closed_at=None)
    assert stick.serial is not None and stick.serial in row.title
    (report,) = api.get("/api/v1/alerts/").json()["results"]
    assert (report["kind"], report["pool"]) == ("array-degraded", None)
