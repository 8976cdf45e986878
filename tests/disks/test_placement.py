"""Which disk sits in which bay, and that none sits in two."""

from __future__ import annotations

from collections import Counter

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from disks.layout import Case, Teaching
from host.inventory import Disk, Enclosure, Inventory, Slot
from tests.disks.cases import by_port, case, disk, machine, placed, serials, shelf
from tests.fuzzing import tries


def known(inventory: Inventory) -> dict[str, str | None]:
    return {bay.label: bay.known_by for bay in inventory.bays}


def test_a_taught_port_leads_to_the_disk_on_it() -> None:
    found = placed(machine(disk(2), disk(1)), case(*by_port(3)))
    assert serials(found) == {"A1": "WD-0001", "A2": "WD-0002"}
    assert known(found) == {"A1": "path", "A2": "path", "A3": None, "A4": None}
    assert [one.bay for one in found.disks] == ["A2", "A1"]
    assert [bay.taught for bay in found.bays] == [True, True, True, False]


def test_another_disk_on_the_port_sits_in_the_bay() -> None:
    new = disk(7, port=disk(1).port)
    assert serials(placed(machine(new), case(*by_port(1)))) == {"A1": "WD-0007"}


def test_the_only_enclosure_that_fits_needs_no_teaching() -> None:
    found = placed(machine(*map(disk, range(1, 4)), enclosures=(shelf(3, None, 1, 2, first=1),)), case())
    assert serials(found) == {"A1": "WD-0003", "A3": "WD-0001", "A4": "WD-0002"}
    assert known(found)["A1"] == "enclosure"


def test_an_enclosure_of_another_size_says_nothing_by_itself() -> None:
    assert serials(placed(machine(disk(1), enclosures=(shelf(1, None, None),)), case())) == {}


def test_of_two_enclosures_that_fit_neither_is_taken() -> None:
    shelves = (shelf(1, 2, 3, 4), shelf(5, 6, 7, 8, name="0x6000"))
    assert serials(placed(machine(*map(disk, range(1, 9)), enclosures=shelves), case())) == {}


def test_slots_with_one_number_say_nothing() -> None:
    shelf_ = shelf(1, 2, 3, 4)
    twice = tuple(msgspec.structs.replace(slot, number=4) for slot in shelf_.slots)
    odd = msgspec.structs.replace(shelf_, slots=twice)
    taught = Teaching(bay="A1", enclosure="0x5000", slot=4)
    assert serials(placed(machine(*map(disk, range(1, 5)), enclosures=(odd,)), case(taught))) == {}


def test_two_expanders_with_one_id_cannot_be_told_apart_and_say_so() -> None:
    shelves = (shelf(1, 2), shelf(3, 4))
    found = placed(
        machine(*map(disk, range(1, 5)), enclosures=shelves),
        case(Teaching(bay="A1", enclosure="0x5000", slot=0)),
    )
    assert serials(found) == {}
    assert found.bays[0].doubt == "2 enclosures are called 0x5000."


def test_an_address_in_two_slots_says_nothing() -> None:
    assert serials(placed(machine(disk(1), enclosures=(shelf(1, 1, None, None),)), case())) == {}


def test_a_taught_slot_changes_that_bay_and_no_other() -> None:
    shelves = (shelf(1, 2, 3, 4),)
    found = placed(
        machine(*map(disk, range(1, 5)), enclosures=shelves),
        case(Teaching(bay="A1", enclosure="0x5000", slot=1)),
    )
    assert serials(found) == {"A1": "WD-0002", "A3": "WD-0003", "A4": "WD-0004"}


def test_a_slot_counts_before_a_port_and_a_port_before_a_serial() -> None:
    enclosures = (shelf(1, 2, 3, 4),)
    taught = (
        Teaching(bay="A1", port=disk(2).port),
        Teaching(bay="A2", serial="WD-0001"),
        Teaching(bay="A3", port=disk(9).port, serial="WD-0004"),
    )
    disks = [disk(n) for n in (1, 2, 9)] + [disk(4, hctl="9:0:0:0")]
    found = placed(machine(*disks, enclosures=enclosures), case(*taught))
    assert serials(found) == {"A1": "WD-0001", "A2": "WD-0002", "A3": "WD-0009"}
    doubts = {bay.label: bay.doubt for bay in found.bays if bay.doubt}
    assert doubts["A1"] == "By its port this bay would hold WD-0002."
    assert doubts["A2"] == "By its serial this bay would hold WD-0001."
    assert doubts["A3"] == "By its serial this bay would hold WD-0004."


def test_a_disk_that_was_taught_for_two_bays_sits_in_the_stronger_one() -> None:
    taught = (Teaching(bay="A1", serial="WD-0001"), Teaching(bay="A2", port=disk(1).port))
    found = placed(machine(disk(1)), case(*taught))
    assert serials(found) == {"A2": "WD-0001"}
    assert found.bays[0].doubt == "By its serial WD-0001 would be here; it is in bay A2."


def test_twins_are_never_matched_by_serial() -> None:
    twins = [disk(1, twins=("usb-b",)), disk(2, serial="WD-0001", twins=("usb-a",))]
    found = placed(machine(*twins), case(Teaching(bay="A1", serial="WD-0001")))
    assert serials(found) == {}
    assert found.bays[0].doubt == "More than one disk reports serial WD-0001."


def test_twins_are_matched_by_port() -> None:
    twins = [disk(1, twins=("usb-b",)), disk(2, serial="WD-0001", twins=("usb-a",))]
    found = placed(machine(*twins), case(*by_port(2)))
    assert [one.bay for one in found.disks] == ["A1", "A2"]


def test_a_port_that_two_disks_report_says_nothing() -> None:
    found = placed(machine(disk(1), disk(2, port=disk(1).port)), case(*by_port(1)))
    assert serials(found) == {} and "2 disks report port" in (found.bays[0].doubt or "")


_numbers = st.integers(1, 8)
_disks = st.lists(
    st.builds(
        lambda number, port, serial, address: disk(
            number,
            port=disk(port).port if port else None,
            serial=f"WD-{serial:04}" if serial else None,
            hctl=f"0:0:{address}:0" if address else None,
        ),
        _numbers, st.none() | _numbers, st.none() | _numbers, st.none() | _numbers,
    ),
    max_size=8,
    unique_by=lambda one: one.id,
)  # fmt: skip
_slots = st.lists(
    st.builds(
        lambda number, address: Slot(
            path="/sys/x", folder="x", number=number, hctl=f"0:0:{address}:0" if address else None
        ),
        st.none() | st.integers(0, 5),
        st.none() | _numbers,
    ),
    max_size=6,
)
_enclosures = st.lists(
    st.builds(
        lambda slots, name: Enclosure(id=name, hctl="0:0:9:0", slots=tuple(slots)),
        _slots,
        st.sampled_from(["e1", "e2"]),
    ),
    max_size=3,
)
_teachings = st.lists(
    st.builds(
        lambda bay, slot, port, serial: Teaching(
            bay=f"A{bay}",
            enclosure="e1" if slot is not None else None,
            slot=slot,
            port=disk(port).port if port else None,
            serial=f"WD-{serial:04}" if serial else None,
        ),
        st.integers(1, 6), st.none() | st.integers(0, 5), st.none() | _numbers, st.none() | _numbers,
    ),
    max_size=6,
    unique_by=lambda teaching: teaching.bay,
)  # fmt: skip


@tries(100)
@given(disks=_disks, enclosures=_enclosures, teachings=_teachings)
def test_whatever_the_evidence_no_disk_is_in_two_bays(
    disks: list[Disk], enclosures: list[Enclosure], teachings: list[Teaching]
) -> None:
    inventory = machine(*disks, enclosures=tuple(enclosures))
    found = placed(inventory, case(*teachings, columns=6))
    held = [bay.disk for bay in found.bays if bay.disk]
    assert all(count == 1 for count in Counter(held).values())
    assert [bay.label for bay in found.bays] == ["A1", "A2", "A3", "A4", "A5", "A6"]
    assert {one.id: one.bay for one in found.disks if one.bay} == {
        bay.disk: bay.label for bay in found.bays if bay.disk
    }
    assert all((bay.disk is None) == (bay.known_by is None) for bay in found.bays)


@tries(50)
@given(order=st.permutations(range(1, 7)), data=st.data())
def test_after_every_name_and_address_changed_each_bay_has_its_serial(
    order: list[int], data: st.DataObject
) -> None:
    """A restart with the disks found in another order: names and addresses differ, ports and slots do not."""
    kinds = data.draw(st.lists(st.sampled_from(["slot", "port", "serial"]), min_size=6, max_size=6))
    teachings = tuple(
        Teaching(bay=f"A{n}", enclosure="0x5000", slot=n - 1)
        if kind == "slot"
        else Teaching(bay=f"A{n}", port=disk(n).port)
        if kind == "port"
        else Teaching(bay=f"A{n}", serial=disk(n).serial)
        for n, kind in enumerate(kinds, start=1)
    )
    remembered: Case = case(*teachings, columns=6)
    before = placed(machine(*map(disk, range(1, 7)), enclosures=(shelf(*range(1, 7)),)), remembered)
    addresses = {n: place for place, n in enumerate(order, start=11)}
    renamed = [
        disk(
            n,
            path=f"/dev/sd{chr(96 + place)}",
            hctl=f"0:0:{addresses[n]}:0",
            id=f"scsi-{n}",
            links=(f"scsi-{n}",),
        )
        for place, n in enumerate(order, start=1)
    ]
    after = placed(machine(*renamed, enclosures=(shelf(*(addresses[n] for n in range(1, 7))),)), remembered)
    assert serials(after) == serials(before) == {f"A{n}": f"WD-{n:04}" for n in range(1, 7)}
