"""dataset.set: change properties, or let them be inherited again."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

import msgspec
from msgspec import Meta

from host.commands import AnyCommand, ZfsInherit, ZfsSet
from host.inventory import Dataset, Inventory
from jobs.findings import Findings
from jobs.plan import Plan, Step
from pools.properties import DEFAULT_OF_NOT_INHERITABLE, applies, check_properties, waits_for_mount

_Name = Annotated[str, Meta(max_length=1024)]
_Value = Annotated[str, Meta(max_length=10_240)]
_ONLY_NEW_DATA = {"compression", "dedup", "recordsize", "checksum", "copies", "special_small_blocks"}


class SetProperties(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Set properties of a dataset; None drops the local value, so that it is inherited or default again."""

    name: _Name
    properties: Annotated[dict[_Name, _Value | None], Meta(min_length=1)]


def plan(request: SetProperties, inventory: Inventory) -> Plan:
    """Raises `Refused` with all faults. Its findings list every descendant whose value changes."""
    findings = Findings()
    dataset = inventory.dataset(request.name)
    if dataset is None:
        findings.refuse("unknown-dataset", "name", "There is no dataset of that name.")
    check_properties(request.properties, "properties", findings, kind=dataset.kind, existing=True)
    findings.refuse_on_error()
    below = inventory.below(dataset.name)
    for name, value in request.properties.items():
        _tell(dataset, name, value, inventory, below, findings)
    return Plan(
        operation="dataset.set",
        steps=(Step(title=f"Change properties of {dataset.name}", commands=tuple(_commands(request))),),
        findings=findings.all(),
        claims=(f"dataset:{dataset.name}",),
    )


def _commands(request: SetProperties) -> Iterator[AnyCommand]:
    defaults = DEFAULT_OF_NOT_INHERITABLE
    wanted = {
        name: defaults.get(name) if value is None else value for name, value in request.properties.items()
    }
    values = {name: value for name, value in wanted.items() if value is not None}
    if values:
        yield ZfsSet(name=request.name, properties=values)
    for name, value in sorted(wanted.items()):
        if value is None:
            yield ZfsInherit(name=request.name, property=name)


def _tell(
    dataset: Dataset,
    name: str,
    value: str | None,
    inventory: Inventory,
    below: tuple[Dataset, ...],
    findings: Findings,
) -> None:
    field = f"properties.{name}"
    now = dataset.value(name)
    then = value if value is not None else _inherited(dataset, name, inventory)
    found = dataset.properties.get(name)
    if value is None and now == then and (found is None or found.source != "local"):
        findings.info("no-change", field, f"{dataset.name} has no local value of {name}.")
        return
    findings.info("changes", field, f"{dataset.name}: {now or 'unset'} → {then or 'the default'}")
    if name in _ONLY_NEW_DATA:
        message = f"{name} applies to what is written from now on; what is stored stays as it is."
        findings.info("new-data-only", field, message)
    if name in DEFAULT_OF_NOT_INHERITABLE:
        return
    shielded: list[str] = []
    for child in below:
        if not applies(name, child.kind) or any(child.name.startswith(f"{other}/") for other in shielded):
            continue
        found = child.properties.get(name)
        if found is not None and found.source in {"local", "received"}:
            shielded.append(child.name)
            findings.info("shielded", field, f"{child.name} keeps its own value {found.value}.")
        elif name != "mountpoint":
            when = " once it is mounted again" if child.mounted and waits_for_mount(name, then) else ""
            message = f"{child.name}: {found.value if found else 'unset'} → {then or 'the default'}{when}"
            findings.info("child-changes", field, message)
        elif then:
            message = f"{child.name} moves to {_moved(child, dataset, then)}"
            findings.info("child-changes", field, message)


def _inherited(dataset: Dataset, name: str, inventory: Inventory) -> str | None:
    """The value that an ancestor hands down; None where it would be ZFS' default, which we do not guess."""
    if name in DEFAULT_OF_NOT_INHERITABLE:
        return DEFAULT_OF_NOT_INHERITABLE[name]
    parent = inventory.dataset(dataset.parent) if dataset.parent else None
    if parent is None:
        return None
    value = parent.value(name)
    if name == "mountpoint" and value and value.startswith("/"):
        return f"{value}/{dataset.name.rpartition('/')[2]}"
    return value


def _moved(child: Dataset, dataset: Dataset, mountpoint: str) -> str:
    rest = child.name.removeprefix(f"{dataset.name}/")
    return f"{mountpoint}/{rest}" if mountpoint.startswith("/") else mountpoint
