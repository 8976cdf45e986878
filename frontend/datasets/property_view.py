"""All properties of a dataset as values for the eye: what they are, where from, what they mean."""

from __future__ import annotations

from datetime import UTC, datetime

import msgspec

from frontend.datasets.view import readable, whence
from frontend.units import binary
from host.inventory import Dataset, Inventory, Property
from pools.datasets.meanings import meaning
from pools.properties import default_of_not_inheritable, is_user, native, only_at_creation, settable
from pools.property_values import words_of

_FACTS = {
    "available", "logicalreferenced", "logicalused", "referenced", "used", "usedbychildren", "usedbydataset",
    "usedbyrefreservation", "usedbysnapshots", "written",
}  # fmt: skip
_SIZES = {
    "quota", "recordsize", "refquota", "refreservation", "reservation", "special_small_blocks",
    "volblocksize", "volsize",
}  # fmt: skip
_NONE_AT_ZERO = {"quota", "refquota", "reservation", "refreservation"}
# What differs between any two datasets, and tells nothing of how they are set.
_UNLIKE = {"createtxg", "creation", "guid", "objsetid", "name", "mountpoint", "type"}


class PropertyRow(msgspec.Struct, frozen=True, kw_only=True):
    """A property in one line. `changeable` where this page can change it; `own` where it is set here."""

    name: str
    value: str
    whence: str
    ancestor: str  # the dataset that the value comes from; empty for any other source
    words: str
    changeable: bool
    own: bool
    fixed: bool  # chosen when the dataset was created


class PropertyEditor(msgspec.Struct, frozen=True, kw_only=True):
    """What the form for one property offers. Texts are empty where there is nothing to say or to choose."""

    name: str
    value: str
    whence: str
    words: str
    unchanged: str
    values: str
    options: tuple[str, ...]
    inherit: str  # what the choice to inherit again is called
    received: str
    user: bool


class Difference(msgspec.Struct, frozen=True, kw_only=True):
    """A property of two datasets side by side."""

    name: str
    left: str
    left_whence: str
    right: str
    right_whence: str
    differs: bool
    words: str


def property_rows(dataset: Dataset, inventory: Inventory) -> tuple[PropertyRow, ...]:
    """All that ZFS tells of the dataset, by name."""
    return tuple(_row(name, found, dataset, inventory) for name, found in sorted(dataset.properties.items()))


def property_editor(dataset: Dataset, name: str, inventory: Inventory) -> PropertyEditor | None:
    """The form for a property that can be changed; None for any other name."""
    table = inventory.facts.native
    found = dataset.properties.get(name)
    if not settable(name, dataset.kind, table) or (found is None and not is_user(name)):
        return None
    found = found or Property(value="", source="none")
    entry = native(table, name)
    own = found.source in {"local", "received"}
    inherit = "Remove it" if entry is None else "Inherit"
    if entry is not None and not entry.inheritable:
        default = default_of_not_inheritable(entry)
        inherit = f"Back to the default, {default}" if default else ""
    received = found.received if found.received and found.source != "received" else ""
    options = words_of(entry.values) if entry else ()
    value = as_typed(name, found.value)
    return PropertyEditor(
        name=name,
        value=value,
        whence=whence(found),
        words=meaning(name).words,
        unchanged=meaning(name).unchanged,
        values=", ".join(entry.values.split(" | ")) if entry else "any text",
        options=options if not options or value in options else (value, *options),
        inherit=inherit if own or (found.source == "temporary") else "",
        received=received or "",
        user=entry is None,
    )


def differences(
    left: Dataset, right: Dataset, inventory: Inventory, *, everything: bool
) -> tuple[Difference, ...]:
    """The properties of both that can be chosen; with `everything` also equal ones and mere facts."""
    rows = []
    for name in sorted(left.properties.keys() | right.properties.keys()):
        entry = native(inventory.facts.native, name)
        chosen = is_user(name) or (entry is not None and (entry.editable or only_at_creation(entry)))
        one, other = left.properties.get(name), right.properties.get(name)
        values = [as_typed(name, found.value) if found else "–" for found in (one, other)]
        differs = values[0] != values[1]
        if everything or (differs and chosen and name not in _UNLIKE):
            rows.append(
                Difference(
                    name=name,
                    left=values[0],
                    left_whence=whence(one) if one else "not there",
                    right=values[1],
                    right_whence=whence(other) if other else "not there",
                    differs=differs,
                    words=meaning(name).words,
                )
            )
    return tuple(rows)


def as_typed(name: str, value: str) -> str:
    """A value as it would be typed: `131072` → `128K`, a quota of `0` → `none`."""
    if name == "creation" and value.isdigit():
        return f"{datetime.fromtimestamp(int(value), UTC):%Y-%m-%d %H:%M:%S} UTC"
    if name in _FACTS and value.isdigit():
        return binary(int(value))
    if name in _SIZES and value.isdigit():
        if value == "0":
            return "none" if name in _NONE_AT_ZERO else "0"
        return readable("quota", value)
    return value


def _row(name: str, found: Property, dataset: Dataset, inventory: Inventory) -> PropertyRow:
    entry = native(inventory.facts.native, name)
    ancestor = found.inherited_from or "" if found.source == "inherited" else ""
    return PropertyRow(
        name=name,
        value=as_typed(name, found.value),
        whence="inherited from" if ancestor else whence(found),
        ancestor=ancestor,
        words=meaning(name).words,
        changeable=settable(name, dataset.kind, inventory.facts.native),
        own=found.source in {"local", "received", "temporary"},
        fixed=entry is not None and only_at_creation(entry),
    )
