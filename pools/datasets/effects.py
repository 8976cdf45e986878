"""What a change of properties does to the dataset and to those below it: the list that a plan shows."""

from __future__ import annotations

from host.inventory import Dataset, Inventory, Property
from jobs.planning.findings import Findings
from pools.mounting import place_below
from pools.properties import applies, default_of_not_inheritable, is_user, native, waits_for_mount

ONLY_NEW_DATA = {
    "checksum", "compression", "copies", "dedup", "dnodesize", "logbias", "recordsize", "redundant_metadata",
    "special_small_blocks", "xattr",
}  # fmt: skip
_OWN: Property = Property(value="", source="none")


def hands_down(name: str, inventory: Inventory) -> bool:
    """Whether datasets below inherit the property."""
    entry = native(inventory.facts.native, name)
    return is_user(name) or entry is None or entry.inheritable


def add_effects(
    dataset: Dataset,
    name: str,
    value: str | None,
    inventory: Inventory,
    findings: Findings,
    *,
    received: bool = False,
    also: frozenset[str] = frozenset(),
) -> None:
    """Adds what becomes of the property: here, below, and where a value of its own shields from it.

    `value` None lets it be inherited; `received` takes it back to what was received. `also` are further
    datasets that are changed in the same way, and so shield nothing.
    """
    field = f"received.{name}" if received else f"properties.{name}"
    found = dataset.properties.get(name, _OWN)
    then = found.received if received else value_then(dataset, name, value, inventory)
    if (value is None or received) and found.value == (then or "") and found.source != "local":
        findings.info("no-change", field, f"{dataset.name} has no local value of {name}.")
        return
    findings.info("changes", field, f"{dataset.name}: {found.value or 'unset'} → {then or 'the default'}")
    if name in ONLY_NEW_DATA:
        message = f"{name} applies to what is written from now on; what is stored stays as it is."
        findings.info("new-data-only", field, message)
    if hands_down(name, inventory):
        _add_effects_below(dataset, name, then, inventory, findings, field, also)


def value_then(dataset: Dataset, name: str, value: str | None, inventory: Inventory) -> str | None:
    """The value that will be in force; None where it will be ZFS' default, which we do not guess."""
    if value is not None:
        return value
    entry = native(inventory.facts.native, name)
    if entry is not None and not entry.inheritable:
        return default_of_not_inheritable(entry)
    parent = inventory.dataset(dataset.parent) if dataset.parent else None
    if name == "mountpoint":
        return place_below(parent, dataset.name)
    return None if parent is None else parent.value(name)


def _add_effects_below(
    dataset: Dataset,
    name: str,
    then: str | None,
    inventory: Inventory,
    findings: Findings,
    field: str,
    also: frozenset[str],
) -> None:
    shielded: list[str] = []
    for child in inventory.below(dataset.name):
        if not applies(name, child.kind) or any(child.name.startswith(f"{other}/") for other in shielded):
            continue
        found = child.properties.get(name)
        if child.name in also:
            shielded.append(child.name)  # told by itself
        elif found is not None and _is_own(found):
            shielded.append(child.name)
            findings.info("shielded", field, f"{child.name} keeps its own value {found.value}.")
        elif name != "mountpoint":
            when = " once it is mounted again" if child.mounted and waits_for_mount(name, then) else ""
            message = f"{child.name}: {found.value if found else 'unset'} → {then or 'the default'}{when}"
            findings.info("child-changes", field, message)
        elif then:
            message = f"{child.name} moves to {_moved(child, dataset, then)}"
            findings.info("child-changes", field, message)


def _is_own(found: Property) -> bool:
    return found.source in {"local", "received"}


def _moved(child: Dataset, dataset: Dataset, mountpoint: str) -> str:
    rest = child.name.removeprefix(f"{dataset.name}/")
    return f"{mountpoint.rstrip('/')}/{rest}" if mountpoint.startswith("/") else mountpoint
