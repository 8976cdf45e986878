"""dataset.set: change properties, or let them be inherited again. dataset.bulk-set: those of many at once."""

from __future__ import annotations

from collections import Counter
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
from jobs.planning.words import sentences
from jobs.wording import counted, listed
from pools.datasets.effects import ONLY_NEW_DATA, add_effects, hands_down, value_then
from pools.datasets.named import named
from pools.datasets.placing import check_change
from pools.mounting import followers
from pools.properties import check_properties, default_of_not_inheritable, is_own, is_user, native
from pools.quotas.limits import in_bytes, in_words
from pools.sentences import shares_of

_Name = Annotated[str, Meta(max_length=1024)]
_Value = Annotated[str, Meta(max_length=10_240)]
_SIZES = {
    "quota", "refquota", "reservation", "refreservation", "volsize", "recordsize", "special_small_blocks",
}  # fmt: skip
_MOST_NAMED = 3  # changes of which the summary tells each
_FELT = {
    ("readonly", "on"): "Nobody can write to it any more.",
    ("readonly", "off"): "Files can be written to it again.",
    ("sync", "disabled"): "A power cut can lose the last seconds of writes from now on.",
    ("canmount", "noauto"): "After a restart it has to be mounted by hand.",
}


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
    found = named(request.names, inventory, findings)
    findings.refuse_on_error()
    return _plan("dataset.bulk-set", found, request.properties, request.received, inventory, findings)


def _plan(
    operation: str,
    datasets: tuple[Dataset, ...],
    properties: dict[str, str | None],
    received: tuple[str, ...],
    inventory: Inventory,
    findings: Findings,
) -> Plan:
    if not properties and not received:
        findings.error("required", "properties", "Nothing to change.")
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
    return Plan(
        operation=operation,
        steps=steps,
        summary=sentences(
            _first(datasets, properties, received, inventory),
            _resized(datasets, properties.get("volsize")),
            _moving(datasets, inventory, then, properties.get("canmount")),
            _below(findings, len(properties) + len(received)),
            _felt(properties, received),
        ),
        findings=findings.all(),
        claims=tuple(f"dataset:{dataset.name}" for dataset in datasets),
    )


def _first(
    datasets: tuple[Dataset, ...],
    properties: dict[str, str | None],
    received: tuple[str, ...],
    inventory: Inventory,
) -> str:
    """What each property becomes; of one dataset also what it is now."""
    one = datasets[0] if len(datasets) == 1 else None
    on = one.name if one else f"{len(datasets)} datasets ({listed([each.name for each in datasets])})"
    changes = [_change(name, value, one, inventory) for name, value in properties.items()]
    changes += [f"{name} returns to the value it was received with" for name in received]
    if len(changes) > _MOST_NAMED + 1:
        more = len(changes) - _MOST_NAMED
        changes = [*changes[:_MOST_NAMED], f"{more} more properties are changed"]
    return f"On {on}, {listed(changes)}."


def _change(name: str, value: str | None, dataset: Dataset | None, inventory: Inventory) -> str:
    now, wanted = _shown(name, dataset.value(name) or "") if dataset else "", _shown(name, value or "")
    if value is None:
        then = value_then(dataset, name, None, inventory) if dataset else None
        how = "is inherited again" if hands_down(name, inventory) else "returns to its default"
        return f"{name} {how}" + (f" ({_shown(name, then)})" if then else "")
    if now == wanted:
        return f"{name} stays {now}"
    return f"{name} changes from {now} to {wanted}" if now else f"{name} becomes {wanted}"


def _shown(name: str, value: str) -> str:
    size = in_bytes(value) if name in _SIZES else None
    if size is not None:
        return in_words(size) if size else "none"
    return value if len(value) <= 60 else f"{value[:60]}…"


def _resized(datasets: tuple[Dataset, ...], size_wanted: str | None) -> str:
    cut = [loss for one in datasets for loss in _cut_off(one, size_wanted)]
    if not cut:
        return "The file system inside it does not grow by itself." if size_wanted else ""
    names, size = listed([str(loss.dataset) for loss in cut]), sum(loss.size_bytes or 0 for loss in cut)
    return f"The last {in_words(size)} of {names} are cut off: what is stored there is permanently lost."


def _moving(
    datasets: tuple[Dataset, ...], inventory: Inventory, then: Inventory, canmount: str | None
) -> str:
    """What those feel who use file systems that are mounted elsewhere `then`, or no more."""
    mounted = [one for one in datasets if one.mounted]
    places = {one.name: (then.dataset(one.name) or one).value("mountpoint") or "" for one in mounted}
    moved = [one for one in mounted if canmount == "off" or places[one.name] != one.value("mountpoint")]
    if not moved:
        return ""
    shares = shares_of([each for one in moved for each in (one, *followers(one, inventory))], inventory)
    it, its = ("It is", "Its") if len(moved) == 1 else ("They are", "Their")
    if canmount == "off" or not all(places[one.name].startswith("/") for one in moved):
        lost = f", and connected clients lose {shares}" if shares else ""
        return f"{its} files cannot be reached any more{lost}."
    if shares:
        return f"{it} unmounted for a moment, and clients of {shares} are disconnected."
    return f"{it} unmounted for a moment, which fails while files there are open."


def _felt(properties: dict[str, str | None], received: tuple[str, ...]) -> str:
    known = [_FELT[change] for change in properties.items() if change in _FELT]
    if known:
        return known[0]
    if {*properties, *received} <= ONLY_NEW_DATA:
        return "Only data written from now on is affected."
    return ""


def _below(findings: Findings, changes: int) -> str:
    counts = Counter(one.field for one in findings.all() if one.code == "child-changes")
    if not counts:
        return ""
    most = max(counts.values())
    verb = "inherits" if most == 1 else "inherit"
    up_to, what = ("Up to ", "the changes") if changes > 1 else ("", "the change")
    return f"{up_to}{counted(most, 'dataset')} below {verb} {what}."


def _check_received(
    dataset: Dataset, properties: dict[str, str | None], received: tuple[str, ...], findings: Findings
) -> None:
    for index, name in enumerate(received):
        field = f"received[{index}]"
        found = dataset.properties.get(name)
        if name in properties:
            findings.error(
                "asked-twice", field, f"{name[:60]} is also among the properties. Give only one of the two."
            )
        elif is_own(name) or not may_be_inherited(name):
            message = f"What was received of {name[:60]} is not used: this form has no such setting."
            findings.error("wrong-place", field, message)
        elif name in received[:index]:
            findings.error("asked-twice", field, f"{name[:60]} is named twice.")
        elif found is None or found.received is None:
            message = f"{dataset.name} has no received value of “{name[:60]}”."
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
    now = in_bytes(size or "")
    if dataset.kind != "volume" or now is None or now >= before:
        return ()
    holds = f"the contents of volume {dataset.name} beyond its first {now} bytes"
    return (Loss(dataset=dataset.name, holds=holds, size_bytes=before - now),)
