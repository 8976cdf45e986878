"""dataset.unmount: a file system, and all that is mounted below it."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from host.commands.datasets.zfs import ZfsUnmount
from host.inventory import Dataset, Inventory
from host.mountpoints import Zone, zone
from jobs.plan import Plan, Step
from jobs.planning.findings import Findings
from jobs.planning.words import sentences
from pools.sentences import clients_lose, tree


class UnmountDataset(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Unmount a file system, with those of its children that are mounted. Nothing is lost."""

    name: Annotated[str, Meta(max_length=1024)]


def plan(request: UnmountDataset, inventory: Inventory) -> Plan:
    """Raises `Refused` where it is not mounted, where the system runs from it, or another stands on it."""
    findings = Findings()
    dataset = inventory.dataset(request.name)
    if dataset is None:
        findings.refuse("unknown-dataset", "name", "There is no dataset of that name.")
    if dataset.kind == "volume":
        findings.refuse("is-volume", "name", f"{dataset.name} is a volume, which is never mounted.")
    if not dataset.mounted:
        findings.refuse("not-mounted", "name", f"{dataset.name} is not mounted.")
    going = (dataset, *(one for one in inventory.below(dataset.name) if one.mounted))
    for one in going:
        _check_system(one, findings)
    place = dataset.value("mountpoint") or ""
    for other in inventory.datasets:
        if other.mounted and other not in going and (other.value("mountpoint") or "").startswith(f"{place}/"):
            message = (
                f"{other.name} is mounted within it, at {other.value('mountpoint')}. Unmount that first."
            )
            findings.error("mounted-within", "name", message)
    findings.refuse_on_error()
    for one in going:
        findings.info("unmounts", "name", f"{one.name}, now at {one.value('mountpoint')}")
    findings.info(
        "until-mounted", "name",
        (
            "Its files cannot be reached until it is mounted again, here or at the next start. Unmounting "
            "fails while programs or shares use them."
        ),
    )  # fmt: skip
    return Plan(
        operation="dataset.unmount",
        steps=(Step(title=f"Unmount {dataset.name}", commands=(ZfsUnmount(name=dataset.name),)),),
        summary=_summary(going, inventory),
        findings=findings.all(),
        claims=(f"dataset:{dataset.name}",),
    )


def _summary(going: tuple[Dataset, ...], inventory: Inventory) -> str:
    dataset, below = going[0], len(going) - 1
    them, verb = ("their", "are") if below else ("its", "is")
    how = "by hand" if dataset.value("canmount") == "noauto" else "by hand or at the next restart"
    return sentences(
        f"{tree(dataset.name, below, 'file system')} {verb} unmounted, and {them} files cannot be reached "
        f"until {'they are' if below else 'it is'} mounted again {how}.",
        clients_lose(going, inventory, " until then"),
        "Unmounting fails while programs on the machine have files open there.",
    )


def _check_system(dataset: Dataset, findings: Findings) -> None:
    place = dataset.value("mountpoint") or ""
    if place.startswith("/") and zone(place) is Zone.SYSTEM:
        message = f"{dataset.name} is mounted at {place}: the running system needs it."
        findings.error("system-folder", "name", message)
