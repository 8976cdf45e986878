"""What a case may look like, and what may be taught of it."""

from __future__ import annotations

from typing import Any

import pytest

from disks.layout import GroupLayout, Layout, Teaching, check_layout, check_teachings
from disks.profiles import PROFILES
from jobs.planning.findings import Findings
from tests.disks.cases import layout


def faults(case: Layout) -> list[tuple[str, str]]:
    findings = Findings()
    check_layout(case, findings)
    return [(finding.code, finding.field) for finding in findings.all()]


def taught(*teachings: Teaching) -> list[tuple[str, str]]:
    findings = Findings()
    check_teachings(teachings, ("A1", "A2"), findings)
    return [(finding.code, finding.field) for finding in findings.all()]


@pytest.mark.parametrize(
    ("origin", "order", "drawn"),
    [
        ("top-left", "rows", ["A1 A2 A3", "A4 A5 A6"]),
        ("top-left", "columns", ["A1 A3 A5", "A2 A4 A6"]),
        ("bottom-left", "rows", ["A4 A5 A6", "A1 A2 A3"]),
        ("bottom-left", "columns", ["A2 A4 A6", "A1 A3 A5"]),
        ("top-right", "rows", ["A3 A2 A1", "A6 A5 A4"]),
        ("bottom-right", "columns", ["A6 A4 A2", "A5 A3 A1"]),
    ],
)
def test_labels_count_from_their_corner(origin: Any, order: Any, drawn: list[str]) -> None:
    group = GroupLayout(name="Front", rows=2, columns=3, prefix="A", origin=origin, order=order)
    rows: list[list[str]] = [["", "", ""], ["", "", ""]]
    for place in group.places():
        rows[place.row][place.column] = place.label
    assert [" ".join(row) for row in rows] == drawn


@pytest.mark.parametrize(
    ("profile", "bays", "first", "last"),
    [
        ("home-tower-6", 6, "1", "6"),
        ("mini-itx-4", 6, "1", "M.2-2"),
        ("rack-2u-12", 12, "0", "11"),
        ("rack-4u-24", 26, "A1", "R2"),
        ("top-loader-60", 60, "0", "59"),
    ],
)
def test_a_profile_is_a_case_without_faults(profile: str, bays: int, first: str, last: str) -> None:
    case = PROFILES[profile]
    assert (len(case.labels), case.labels[0], case.labels[-1]) == (bays, first, last)
    assert faults(case) == []


def test_a_case_has_at_most_102_bays() -> None:
    assert faults(layout(columns=17, rows=6)) == []
    assert faults(layout(columns=103 // 2, rows=3)) == [("too-many-bays", "groups")]


def test_labels_must_be_as_many_as_bays() -> None:
    assert faults(layout(labels=("A1", "A2"))) == [("wrong-count", "groups[0].labels")]


def test_no_label_is_there_twice_not_even_in_another_group_or_case() -> None:
    one = GroupLayout(name="Front", rows=1, columns=2, labels=("A1", "A2"))
    other = GroupLayout(name="Rear", rows=1, columns=2, labels=("a1", "B2"))
    assert faults(Layout(name="x", groups=(one, other))) == [("duplicate-label", "groups[1].labels[0]")]


@pytest.mark.parametrize("label", ["A\x00", "A\n1", " A1", "A‮1", "​", "A/1"])
def test_labels_are_what_can_be_printed(label: str) -> None:
    case = layout(labels=(label, "A2", "A3", "A4"))
    assert [field for _, field in faults(case)] == ["groups[0].labels[0]"]


def test_all_faults_of_a_case_are_told_at_once() -> None:
    group = GroupLayout(name="Front", rows=1, columns=2, labels=("A1", "A1", "A\x07"))
    case = Layout(name="x\n", groups=(group, group))
    assert {code for code, _ in faults(case)} == {
        "bad-characters",
        "wrong-count",
        "duplicate-label",
        "duplicate-group",
    }


def test_a_bay_can_be_taught_by_each_kind_of_evidence() -> None:
    full = Teaching(bay="A1", enclosure="0x5000", slot=0, port="pci-1", serial="S1")
    assert taught(full, Teaching(bay="A2", enclosure="0x5000", slot=1, port="pci-2", serial="S2")) == []


@pytest.mark.parametrize(
    ("teachings", "expected"),
    [
        ([Teaching(bay="A9", port="p")], [("unknown-bay", "bays[0].bay")]),
        ([Teaching(bay="A1", port="p"), Teaching(bay="A1", port="q")], [("duplicate-bay", "bays[1].bay")]),
        (
            [Teaching(bay="A1", serial="S"), Teaching(bay="A2", serial="S")],
            [("duplicate-serial", "bays[1].serial")],
        ),
        ([Teaching(bay="A1", port="p"), Teaching(bay="A2", port="p")], [("duplicate-port", "bays[1].port")]),
        (
            [Teaching(bay="A1", enclosure="e", slot=1), Teaching(bay="A2", enclosure="e", slot=1)],
            [("duplicate-slot", "bays[1].slot")],
        ),
        ([Teaching(bay="A1")], [("nothing-taught", "bays[0]")]),
        ([Teaching(bay="A1", slot=3, port="p")], [("half-a-slot", "bays[0].slot")]),
        ([Teaching(bay="A1", port="p\x1b[2J")], [("bad-characters", "bays[0].port")]),
    ],
)  # fmt: skip
def test_what_contradicts_itself_is_refused(
    teachings: list[Teaching], expected: list[tuple[str, str]]
) -> None:
    assert taught(*teachings) == expected
