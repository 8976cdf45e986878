"""Describing the case, teaching its bays, and carrying both as a text: the plans, as values."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from disks.bays import case_file, import_case, set_bays, set_chassis, teach_bay
from disks.bays.import_case import ImportCase
from disks.bays.set_bays import SetBays
from disks.bays.set_chassis import SetChassis
from disks.bays.stored import store_layout, store_teachings, stored
from disks.bays.teach_bay import TeachBay
from disks.layout import GroupLayout, Teaching
from host.inventory import Inventory
from jobs.plan import Plan, Refused
from tests.disks.cases import by_port, case, disk, layout, machine, placed, shelf, taught


def refused(plan: Any, request: Any, inventory: Inventory) -> list[str]:
    with pytest.raises(Refused) as error:
        plan(request, inventory)
    return [finding.code for finding in error.value.findings if finding.level == "error"]


def said(plan: Plan) -> list[str]:
    return [finding.code for finding in plan.findings]


def teach(bay: str, number: int, **changes: Any) -> TeachBay:
    return TeachBay(bay=bay, disk=disk(number).id, serial=disk(number).serial, **changes)


def test_a_profile_says_what_the_case_is() -> None:
    plan = set_chassis.plan(SetChassis(profile="mini-itx-4"), machine())
    assert [step.title for step in plan.steps] == [
        "Mini-ITX, 4 bays and 2 × M.2: Bays has 4 × 1 bays, 1 to 4, by rows from the top-left",
        "Mini-ITX, 4 bays and 2 × M.2: Board has 1 × 2 bays, M.2-1 to M.2-2, by rows from the top-left",
    ]


def test_bays_that_go_take_along_what_was_taught_of_them() -> None:
    plan = set_chassis.plan(SetChassis(name="x", groups=layout(columns=2).groups), taught(1, 2, 3))
    assert said(plan) == ["forgets-teachings", "few-bays"]
    assert plan.findings[0].message == "The mapping of these bays is deleted: A3, A4."


@pytest.mark.parametrize(
    ("request_", "codes"),
    [
        (SetChassis(), ["required", "required"]),
        (SetChassis(profile="none"), ["unknown-profile"]),
        (SetChassis(profile="home-tower-6", groups=layout().groups), ["both-given"]),
        (SetChassis(name="x", groups=layout(rows=102, columns=102).groups), ["too-many-bays"]),
        (
            SetChassis(name="x", groups=(GroupLayout(name="y", rows=1, columns=1, labels=("\x00",)),)),
            ["bad-characters"],
        ),
    ],
)
def test_a_case_that_cannot_be_is_refused(request_: SetChassis, codes: list[str]) -> None:
    assert refused(set_chassis.plan, request_, machine()) == codes


def test_all_bays_are_taught_at_once() -> None:
    plan = set_bays.plan(SetBays(bays=by_port(4)), taught(1))
    assert [step.title for step in plan.steps] == ["Save the mapping of 4 bays, and delete all others"]
    assert said(plan) == []


def test_teaching_needs_a_case() -> None:
    assert refused(set_bays.plan, SetBays(bays=()), machine(disk(1))) == ["no-chassis"]
    assert refused(teach_bay.plan, teach("A1", 1), machine(disk(1))) == ["no-chassis"]


def test_one_disk_named_for_two_bays_in_two_ways_is_told() -> None:
    bays = (Teaching(bay="A1", port=disk(1).port), Teaching(bay="A2", serial="WD-0001"))
    assert said(set_bays.plan(SetBays(bays=bays), taught(1))) == ["contradiction"]
    split = (Teaching(bay="A1", port=disk(1).port, serial="WD-0002"),)
    assert said(set_bays.plan(SetBays(bays=split), taught(1, 2))) == ["contradiction"]


@pytest.mark.django_db
def test_a_bay_is_taught_by_the_best_that_the_disk_has() -> None:
    for inventory, expected in (
        (
            placed(machine(disk(1), enclosures=(shelf(1, None),)), case()),
            {"enclosure": "0x5000", "slot": 0},
        ),
        (placed(machine(disk(1)), case()), {"port": disk(1).port}),
        (placed(machine(disk(1, port=None)), case()), {"serial": "WD-0001"}),
    ):
        store_layout(layout())
        store_teachings(())
        request = teach("A2", 1)
        teach_bay.plan(request, inventory)
        teach_bay.remember(request, inventory, "ada")
        assert stored().teachings == (Teaching(bay="A2", **expected),)


@pytest.mark.django_db
def test_a_disk_and_its_port_belong_to_one_bay() -> None:
    store_layout(layout())
    store_teachings((*by_port(2), Teaching(bay="A4", serial="WD-0001")))
    inventory = placed(machine(disk(1), disk(2)), stored())
    plan = teach_bay.plan(teach("A2", 1), inventory)
    assert said(plan) == ["bay-taken", "moves"]
    teach_bay.remember(teach("A2", 1), inventory, "ada")
    assert stored().teachings == (Teaching(bay="A2", port=disk(1).port),)


@pytest.mark.parametrize(
    ("request_", "codes"),
    [
        (teach("A9", 1), ["unknown-bay"]),
        (TeachBay(bay="A1", disk=disk(1).id, serial="WD-0002"), ["wrong-serial"]),
        (TeachBay(bay="A1", disk=disk(1).id, serial=None), ["wrong-serial"]),
        (teach("A1", 1, by="slot"), ["no-evidence"]),
        (teach("A1", 8), ["unknown-disk"]),
    ],
)
def test_teaching_is_refused(request_: TeachBay, codes: list[str]) -> None:
    assert refused(teach_bay.plan, request_, taught(1, 2)) == codes


def test_what_the_enclosure_tells_cannot_be_overruled_by_less() -> None:
    inventory = placed(machine(*map(disk, range(1, 5)), enclosures=(shelf(1, 2, 3, 4),)), case())
    assert refused(teach_bay.plan, teach("A2", 1, by="port"), inventory) == ["weaker-evidence"]
    assert refused(teach_bay.plan, teach("A2", 1, by="serial"), inventory) == ["weaker-evidence"]
    assert said(teach_bay.plan(teach("A2", 1), inventory)) == ["bay-taken", "moves"]


def test_a_twin_is_not_taught_by_its_serial() -> None:
    twin = disk(1, twins=("usb-other",))
    request = TeachBay(bay="A1", disk=twin.id, serial=twin.serial, by="serial")
    assert refused(teach_bay.plan, request, placed(machine(twin), case())) == ["no-evidence"]


def test_a_case_survives_being_written_and_read() -> None:
    full = (Teaching(bay="A1", enclosure="0x5000", slot=0, port="pci-1", serial="0123"), *by_port(2)[1:])
    text = case_file.write(layout(), full)
    file = case_file.read(text)
    assert (file.chassis, file.bays) == (layout(), full)
    assert import_case.plan(ImportCase(yaml=text), machine()).steps[0].title.startswith("Test case: Front")


BOMB = """
chassis: &a {name: x, groups: []}
bays: [*a, *a]
"""


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{", "expected"),
        ("\x00", "it cannot be read"),
        (BOMB, "an alias (*name) in line 3"),
        ("a: {a: {a: {a: {a: {a: {a: {a: {a: 1}}}}}}}}", "deep nesting"),
        ("[" * 40_000, "deep nesting"),
        ("chassis: !!python/object/apply:os.system ['true']", "could not determine a constructor"),
        ("chassis: 1\nchassis: 2", "a key that is there twice in line 2"),
        ("? [a, b]\n: 1", "a key that is there twice"),
        ("a: 2026-99-99", "This YAML cannot be used"),
        ("--- 1\n--- 2", "another document"),
    ],
)
def test_the_yaml_of_a_stranger_is_refused(text: str, words: str) -> None:
    with pytest.raises(Refused) as error:
        case_file.read(text, field="yaml")
    (finding,) = error.value.findings
    assert (finding.code, finding.field) == ("bad-yaml", "yaml") and words in finding.message


@pytest.mark.parametrize("text", ["", "1", "[]", "null", "chassis: {}", "chassis: {name: x, groups: x}"])
def test_yaml_of_another_shape_is_refused(text: str) -> None:
    with pytest.raises(Refused):
        case_file.read(text)


def test_a_text_with_many_faults_tells_them_all() -> None:
    text = """
chassis:
  name: x
  groups:
    - {name: Front, rows: 1, columns: 2, labels: [A1, A1]}
bays:
  - {bay: A1, serial: S}
  - {bay: A7, serial: S}
"""
    assert refused(import_case.plan, ImportCase(yaml=text), machine()) == [
        "duplicate-label",
        "unknown-bay",
        "duplicate-serial",
    ]


def test_an_import_says_that_it_replaces_what_was_taught() -> None:
    text = case_file.write(layout(), ())
    assert said(import_case.plan(ImportCase(yaml=text), taught(1))) == ["replaces"]
    assert said(import_case.plan(ImportCase(yaml=text), machine())) == []


def test_a_request_of_a_thousand_characters_is_cut_off_by_its_shape() -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"bay": "A" * 1000, "port": "p"}, Teaching)
