"""dataset.set: change properties, or let them be inherited again. dataset.bulk-set: those of many at once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

import msgspec
from msgspec import Meta

from host.commands.closed import AnyCommand
from host.commands.datasets.settable import may_be_inherited
from host.commands.datasets.zfs import ZfsInherit, ZfsSet
from host.inventory import Dataset, Inventory
from jobs.plan import Loss, Plan, Step
from jobs.planning.findings import Findings
from pools.datasets.effects import add_effects
from pools.datasets.placing import check_change
from pools.properties import check_properties, default_of_not_inheritable, is_user, native

_Name = Annotated[str, Meta(max_length=1024)]
_Value = Annotated[str, Meta(max_length=10_240)]
_UNITS = {letter: 1 << (10 * power) for power, letter in enumerate("BKMGTPE")}


class SetProperties(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Set properties of a dataset; None drops the local value, so that it is inherited or default again.

    `received` names properties that go back to the value that a received stream brought.
    """

    name: _Name
    properties: dict[_Name, _Value | None] = {}
    received: Annotated[tuple[_Name, ...], Meta(max_length=200)] = ()


class BulkSetProperties(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The same change of properties for many datasets, as `SetProperties` for one."""

    names: Annotated[tuple[_Name, ...], Meta(min_length=1, max_length=1000)]
    properties: dict[_Name, _Value | None] = {}
    received: Annotated[tuple[_Name, ...], Meta(max_length=200)] = ()


def plan(request: SetProperties, inventory: Inventory) -> Plan:
    """Raises `Refused` with all faults. Its findings list every descendant whose value changes."""
    findings = Findings()
    dataset = inventory.dataset(request.name)
    if dataset is None:
        findings.refuse("unknown-dataset", "name", "There is no dataset of that name.")
    return _plan("dataset.set", (dataset,), request.properties, request.received, inventory, findings)


def plan_bulk(request: BulkSetProperties, inventory: Inventory) -> Plan:
    """Raises `Refused` with all faults of the names and of what each dataset cannot have set."""
    findings = Findings()
    found: list[Dataset] = []
    for index, name in enumerate(request.names):
        dataset = inventory.dataset(name)
        if dataset is None:
            findings.error("unknown-dataset", f"names[{index}]", f"There is no dataset {name[:200]}.")
        elif name in request.names[:index]:
            findings.error("duplicate-dataset", f"names[{index}]", f"{name} is named twice.")
        else:
            found.append(dataset)
    findings.refuse_on_error()
    return _plan("dataset.bulk-set", tuple(found), request.properties, request.received, inventory, findings)


def _plan(
    operation: str,
    datasets: tuple[Dataset, ...],
    properties: dict[str, str | None],
    received: tuple[str, ...],
    inventory: Inventory,
    findings: Findings,
) -> Plan:
    if not properties and not received:
        findings.error("required", "properties", "Say what to change.")
    table = inventory.facts.native
    for kind in dict.fromkeys(dataset.kind for dataset in datasets):
        check_properties(properties, "properties", findings, kind=kind, table=table, existing=True)
    for dataset in datasets:
        _check_received(dataset, properties, received, findings)
    findings.refuse_on_error()
    together = frozenset(dataset.name for dataset in datasets)
    for dataset in datasets:
        for name, value in properties.items():
            add_effects(dataset, name, value, inventory, findings, also=together)
        for name in received:
            add_effects(dataset, name, None, inventory, findings, received=True, also=together)
    then = inventory
    for dataset in datasets:
        then = check_change(dataset, properties, received, then, findings)
    findings.refuse_on_error()
    steps = tuple(
        Step(
            title=f"Change properties of {dataset.name}",
            commands=tuple(_commands(dataset, properties, received, inventory)),
            destroys=_cut_off(dataset, properties.get("volsize")),
        )
        for dataset in datasets
    )
    claims = tuple(f"dataset:{dataset.name}" for dataset in datasets)
    return Plan(operation=operation, steps=steps, findings=findings.all(), claims=claims)


def _check_received(
    dataset: Dataset, properties: dict[str, str | None], received: tuple[str, ...], findings: Findings
) -> None:
    for index, name in enumerate(received):
        field = f"received[{index}]"
        found = dataset.properties.get(name)
        if name in properties:
            findings.error("asked-twice", field, f"{name[:60]} is among properties too. Choose one of both.")
        elif not may_be_inherited(name):
            message = f"What was received of {name[:60]} is not taken up: it is no setting of this form."
            findings.error("wrong-place", field, message)
        elif name in received[:index]:
            findings.error("asked-twice", field, f"{name[:60]} is named twice.")
        elif found is None or found.received is None:
            message = f"{dataset.name} has received no value of “{name[:60]}”."
            findings.error("nothing-received", field, message)


def _commands(
    dataset: Dataset, properties: dict[str, str | None], received: tuple[str, ...], inventory: Inventory
) -> Iterator[AnyCommand]:
    wanted = {
        name: _default(name, inventory) if value is None else value for name, value in properties.items()
    }
    values = {name: value for name, value in wanted.items() if value is not None}
    if values:
        yield ZfsSet(name=dataset.name, properties=values)
    for name, value in sorted(wanted.items()):
        if value is None:
            yield ZfsInherit(name=dataset.name, property=name)
    for name in sorted(received):
        yield ZfsInherit(name=dataset.name, property=name, received=True)


def _default(name: str, inventory: Inventory) -> str | None:
    """What to set where `zfs inherit` would refuse, or would share what is shared above."""
    if name in {"sharenfs", "sharesmb"}:
        return "off"
    entry = native(inventory.facts.native, name)
    if is_user(name) or entry is None or entry.inheritable:
        return None
    return default_of_not_inheritable(entry)


def _cut_off(dataset: Dataset, size: str | None) -> tuple[Loss, ...]:
    """What lies behind the new end of a volume that becomes smaller is lost."""
    before = dataset.number("volsize")
    now = _bytes(size or "")
    if dataset.kind != "volume" or now is None or now >= before:
        return ()
    holds = f"what lies in volume {dataset.name} behind its first {now} bytes"
    return (Loss(dataset=dataset.name, holds=holds, size_bytes=before - now),)


def _bytes(size: str) -> int | None:
    text = size.upper().removesuffix("IB").removesuffix("B")
    letter = text[-1:] if text[-1:] in _UNITS else ""
    try:
        return int(float(text.removesuffix(letter)) * _UNITS.get(letter, 1))
    except (ValueError, OverflowError):
        return None
