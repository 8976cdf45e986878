"""Which policy holds for a dataset, and where it comes from: ZFS inherits it, so this only reads."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import msgspec

from host.inventory import Dataset, Inventory
from pools.policies.rules.policy import PROPERTY, BadPolicy, Policy, parse

Origin = Literal["local", "inherited", "received", "none"]


class Effective(msgspec.Struct, frozen=True, kw_only=True):
    """The policy of `dataset`. `policy` is None where there is none, and where its text cannot be read.

    A policy that came with received data (`origin` received, here or above) belongs to the machine it came
    from, which replaces what it sent; snapshots taken here would stand in its way. It is not acted on.
    """

    dataset: str
    origin: Origin
    source: str | None = None  # the dataset that has it; itself where it is its own
    text: str = ""
    policy: Policy | None = None
    fault: str = ""  # why the text cannot be read

    @property
    def acts(self) -> bool:
        """Whether anything is taken here."""
        return self.policy is not None and not self.policy.off and self.origin != "received"


def effective(dataset: Dataset, inventory: Inventory) -> Effective:
    """The policy that holds for `dataset`."""
    found = dataset.properties.get(PROPERTY)
    if found is None or found.source in {"none", "default"}:
        return Effective(dataset=dataset.name, origin="none")
    source = found.inherited_from or dataset.name
    origin: Origin = "local"
    if found.source == "inherited":
        above = inventory.dataset(source)
        theirs = above.properties.get(PROPERTY) if above else None
        origin = "received" if theirs is not None and theirs.source == "received" else "inherited"
    elif found.source == "received":
        origin = "received"
    try:
        policy = parse(found.value)
    except BadPolicy as bad:
        return Effective(dataset=dataset.name, origin=origin, source=source, text=found.value, fault=str(bad))
    return Effective(dataset=dataset.name, origin=origin, source=source, text=found.value, policy=policy)


def all_effective(inventory: Inventory) -> Iterator[Effective]:
    """Of all datasets that have one, whether it can be read or not."""
    for dataset in inventory.datasets:
        found = effective(dataset, inventory)
        if found.origin != "none":
            yield found


def after(inventory: Inventory, changed: str, text: str | None) -> Iterator[tuple[Effective, Effective]]:
    """What holds now and would hold then, of `changed` and all below that would follow.

    `text` None drops its own value. Those below with a value of their own do not follow, nor what is below
    them.
    """
    dataset = inventory.dataset(changed)
    if dataset is None:
        return
    parent = inventory.dataset(dataset.parent) if text is None and dataset.parent else None
    above = effective(parent, inventory) if parent else Effective(dataset=changed, origin="none")
    for one in (dataset, *inventory.below(changed)):
        now = effective(one, inventory)
        if one is not dataset and now.source is not None and _below(now.source, changed):
            continue  # its own value, or that of one between, shields it
        if text is None:
            then = msgspec.structs.replace(
                above, dataset=one.name, origin="inherited" if above.origin == "local" else above.origin
            )
        else:
            then = Effective(
                dataset=one.name, origin="local" if one is dataset else "inherited", source=changed,
                text=text, policy=parse(text),
            )  # fmt: skip
        yield now, then


def _below(name: str, top: str) -> bool:
    return name.startswith(f"{top}/")
