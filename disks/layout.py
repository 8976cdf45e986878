"""What a case looks like, and what was taught of its bays: values, and the rules they keep."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal, NamedTuple

import msgspec
from msgspec import Meta

from jobs.planning.findings import Findings

MOST_BAYS = 102
Origin = Literal["top-left", "top-right", "bottom-left", "bottom-right"]
Order = Literal["rows", "columns"]
Label = Annotated[str, Meta(min_length=1, max_length=16)]
Count = Annotated[int, Meta(ge=1, le=MOST_BAYS)]
Name = Annotated[str, Meta(min_length=1, max_length=60)]
Evidence = Annotated[str, Meta(min_length=1, max_length=255)]


class BayPosition(NamedTuple):
    """A bay as drawn; row and column count from 0 at the top left."""

    label: str
    row: int
    column: int


class GroupLayout(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A block of bays. Labels count from the `origin` corner, first along rows or along columns.

    Without `labels` the bays are `prefix` and a number from `first` on.
    """

    name: Name
    rows: Count
    columns: Count
    origin: Origin = "top-left"
    order: Order = "rows"
    labels: Annotated[tuple[Label, ...], Meta(max_length=MOST_BAYS)] = ()
    prefix: Annotated[str, Meta(max_length=8)] = ""
    first: Annotated[int, Meta(ge=0, le=9999)] = 1

    @property
    def size(self) -> int:
        """How many bays it has."""
        return self.rows * self.columns

    @property
    def printed(self) -> tuple[str, ...]:
        """The labels in the order they count."""
        return self.labels or tuple(f"{self.prefix}{self.first + n}" for n in range(self.size))

    def places(self) -> Iterator[BayPosition]:
        """All bays in the order they count."""
        for number, label in enumerate(self.printed):
            if self.order == "rows":
                row, column = divmod(number, self.columns)
            else:
                column, row = divmod(number, self.rows)
            if self.origin.startswith("bottom"):
                row = self.rows - 1 - row
            if self.origin.endswith("right"):
                column = self.columns - 1 - column
            yield BayPosition(label, row, column)


class Layout(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A whole case: groups of bays, drawn one beside the other. No label appears twice in it."""

    name: Name
    groups: Annotated[tuple[GroupLayout, ...], Meta(min_length=1, max_length=12)]

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels of all bays."""
        return tuple(label for group in self.groups for label in group.printed)


class Teaching(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """What is known of a bay: the enclosure's slot it is, the port it is wired to, or the serial in it.

    Where several are given they count in this order.
    """

    bay: Label
    enclosure: Evidence | None = None  # Enclosure.id
    slot: Annotated[int, Meta(ge=0, le=1023)] | None = None
    port: Evidence | None = None  # a name under /dev/disk/by-path
    serial: Evidence | None = None


class Case(msgspec.Struct, frozen=True, kw_only=True):
    """All that is remembered of the case. Without a layout the bays are guessed."""

    layout: Layout | None = None
    teachings: tuple[Teaching, ...] = ()
    changed_at: str = ""  # ISO 8601, UTC: when the layout was set


def check_layout(layout: Layout, findings: Findings, field: str = "") -> None:
    """Tell everything that is wrong with a case."""
    prefix = f"{field}." if field else ""
    _check_text(layout.name, f"{prefix}name", findings)
    total = sum(group.size for group in layout.groups)
    if total > MOST_BAYS:
        message = f"These are {total} bays; a case has at most {MOST_BAYS}."
        findings.error("too-many-bays", f"{prefix}groups", message)
        return
    seen: dict[str, str] = {}
    names: set[str] = set()
    for index, group in enumerate(layout.groups):
        path = f"{prefix}groups[{index}]"
        _check_text(group.name, f"{path}.name", findings)
        if group.name in names:
            findings.error("duplicate-group", f"{path}.name", f"There are two groups “{group.name}”.")
        names.add(group.name)
        if group.labels and len(group.labels) != group.size:
            message = f"{group.rows} × {group.columns} are {group.size} bays, but there are "
            findings.error("wrong-count", f"{path}.labels", f"{message}{len(group.labels)} labels.")
        _check_labels(group, path, seen, findings)


def check_teachings(
    teachings: tuple[Teaching, ...], labels: tuple[str, ...], findings: Findings, field: str = "bays"
) -> None:
    """Tell what is wrong with teachings by themselves: unknown bays, and evidence that is named twice."""
    seen: dict[tuple[str, object], str] = {}
    for index, teaching in enumerate(teachings):
        path = f"{field}[{index}]"
        if teaching.bay not in labels:
            findings.error("unknown-bay", f"{path}.bay", f"The chassis has no bay “{teaching.bay}”.")
        _once(("bay", teaching.bay), f"{path}.bay", f"Bay {teaching.bay} is named twice", seen, findings)
        if (teaching.enclosure is None) != (teaching.slot is None):
            message = "Name the enclosure and its slot together."
            findings.error("half-a-slot", f"{path}.slot", message)
        if teaching.slot is None and teaching.port is None and teaching.serial is None:
            findings.error("nothing-taught", path, "Name a slot, a port or a serial.")
        if teaching.slot is not None:
            words = f"Slot {teaching.slot} of {teaching.enclosure} is given to two bays"
            _once(("slot", (teaching.enclosure, teaching.slot)), f"{path}.slot", words, seen, findings)
        if teaching.port is not None:
            words = f"Port {teaching.port} is given to two bays"
            _once(("port", teaching.port), f"{path}.port", words, seen, findings)
        if teaching.serial is not None:
            words = f"Serial {teaching.serial} is given to two bays: one disk cannot be in both"
            _once(("serial", teaching.serial), f"{path}.serial", words, seen, findings)
        for name in ("enclosure", "port", "serial"):
            if (text := getattr(teaching, name)) is not None:
                _check_text(text, f"{path}.{name}", findings)


def _check_labels(group: GroupLayout, path: str, seen: dict[str, str], findings: Findings) -> None:
    for index, label in enumerate(group.printed):
        field = f"{path}.labels[{index}]" if group.labels else f"{path}.prefix"
        if "/" in label:
            findings.error("bad-label", field, "A label cannot contain a slash.")
        elif _check_text(label, field, findings) and label.casefold() in seen:
            words = f"There are two bays “{label}”, first as {seen[label.casefold()]}."
            findings.error("duplicate-label", field, words)
        seen.setdefault(label.casefold(), field)


def _once(
    what: tuple[str, object], field: str, words: str, seen: dict[tuple[str, object], str], findings: Findings
) -> None:
    if what in seen:
        findings.error(f"duplicate-{what[0]}", field, f"{words}, first as {seen[what]}.")
    else:
        seen[what] = field


def _check_text(text: str, field: str, findings: Findings) -> bool:
    if text.isprintable() and text == text.strip():
        return True
    message = "Use printable characters only, with no space at either end."
    findings.error("bad-characters", field, message)
    return False
