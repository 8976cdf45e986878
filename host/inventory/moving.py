"""Where file systems are mounted once they have another name."""

from __future__ import annotations

import msgspec

from host.inventory.datasets import Dataset, Property
from host.inventory.machine import Inventory


def renamed(name: str, old: str, new: str) -> str:
    """What `name`, which is `old` or below it, is called once `old` is called `new`."""
    return f"{new}{name.removeprefix(old)}"


def place_after(one: Dataset, old: str, new: str, inventory: Inventory) -> str | None:
    """Where `one` will be mounted once `old` is called `new`: None where that does not follow its name."""
    found = one.properties.get("mountpoint")
    if found is None or found.source in {"local", "received"} or not found.value.startswith("/"):
        return None
    owner = found.inherited_from or ""
    if f"{owner}/".startswith(f"{old}/"):
        return None  # a dataset that moves along decides, and keeps its place
    above = new.rpartition("/")[0]
    parent = inventory.dataset(above)
    handed = (parent.value("mountpoint") if parent else None) or ""
    if not handed.startswith("/"):
        return handed or None
    return f"{handed.rstrip('/')}{renamed(one.name, old, new).removeprefix(above)}"


def with_value(one: Dataset, name: str, value: str) -> Dataset:
    """`one` with another value of a property, from where the one before came."""
    before = one.properties.get(name, Property(value=value, source="none"))
    changed = msgspec.structs.replace(before, value=value)
    return msgspec.structs.replace(one, properties=one.properties | {name: changed})
