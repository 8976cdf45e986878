"""The chassis editor's form: blocks of bays as they were typed, to and from a layout."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import msgspec
from django.http import QueryDict

from disks.chassis import BayGroup, Chassis, DrawnBay
from disks.layout import MOST_BAYS, GroupLayout, Layout
from host import typed

MOST_GROUPS = 12
ORIGINS = (
    ("top-left", "top left"),
    ("top-right", "top right"),
    ("bottom-left", "bottom left"),
    ("bottom-right", "bottom right"),
)
ORDERS = (("rows", "row by row"), ("columns", "column by column"))
_NUMBERS = ("rows", "columns", "first")
FIELDS = ("name", "rows", "columns", "prefix", "first", "origin", "order", "labels")


class GroupForm(msgspec.Struct, frozen=True, kw_only=True):
    """A block of bays as typed."""

    name: str = ""
    rows: str = "1"
    columns: str = "4"
    prefix: str = ""
    first: str = "1"
    origin: str = "top-left"
    order: str = "rows"
    labels: str = ""  # with commas or line breaks between; empty: prefix and number


class LayoutForm(msgspec.Struct, frozen=True, kw_only=True):
    """The whole form."""

    name: str = ""
    groups: tuple[GroupForm, ...] = ()


def from_post(post: QueryDict) -> LayoutForm:
    """What was sent, with the block that was added or taken away."""
    count = post.get("count", "")
    number = min(int(count), MOST_GROUPS) if count.isdecimal() and len(count) < 4 else 1
    groups = [
        GroupForm(**{field: post.get(f"{field}-{index}", "").strip() for field in FIELDS})
        for index in range(number)
    ]
    drop = post.get("drop", "")
    if drop.isdecimal() and len(groups) > 1:
        groups = [group for index, group in enumerate(groups) if str(index) != drop]
    if "add" in post and len(groups) < MOST_GROUPS:
        groups.append(GroupForm(name=f"Block {len(groups) + 1}", prefix=chr(ord("A") + len(groups))))
    return LayoutForm(name=post.get("name", "").strip(), groups=tuple(groups))


def from_layout(layout: Layout) -> LayoutForm:
    """The form that gives this layout."""
    return LayoutForm(name=layout.name, groups=tuple(_group_form(group) for group in layout.groups))


def to_data(form: LayoutForm) -> dict[str, Any]:
    """The layout's data; what is no number stays text, for the one edge that checks it to say so."""
    return {"name": form.name, "groups": [_group_data(group) for group in form.groups]}


def drawn(data: Mapping[str, Any]) -> Chassis | None:
    """The case that `data` describes, as far as it can be drawn; None where it cannot."""
    try:
        layout = typed.convert(data, Layout)
    except msgspec.ValidationError:
        return None
    if sum(group.size for group in layout.groups) > MOST_BAYS:
        return None
    return of_layout(layout)


def of_layout(layout: Layout) -> Chassis:
    """The empty case of a layout."""
    return Chassis(
        groups=tuple(
            BayGroup(
                name=group.name, rows=group.rows, columns=group.columns,
                bays=tuple(
                    DrawnBay(label=place.label, row=place.row, column=place.column)
                    for place in group.places() if place.row in range(group.rows)
                    and place.column in range(group.columns)
                ),
            )
            for group in layout.groups
        )
    )  # fmt: skip


def _group_form(group: GroupLayout) -> GroupForm:
    return GroupForm(
        name=group.name, rows=str(group.rows), columns=str(group.columns), prefix=group.prefix,
        first=str(group.first), origin=group.origin, order=group.order, labels=", ".join(group.labels),
    )  # fmt: skip


def _group_data(group: GroupForm) -> dict[str, Any]:
    data: dict[str, Any] = {"name": group.name, "origin": group.origin, "order": group.order}
    for field in _NUMBERS:
        text = getattr(group, field)
        data[field] = int(text) if text.isdecimal() and len(text) < 6 else text
    if group.labels:
        data["labels"] = [label.strip() for label in re.split(r"[,\n]", group.labels) if label.strip()]
    else:
        data["prefix"] = group.prefix
    return data
