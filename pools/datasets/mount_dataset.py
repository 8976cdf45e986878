"""dataset.mount: one file system, and on request those below it."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from host.commands.datasets.zfs import ZfsMount
from host.inventory import Dataset, Inventory
from jobs.plan import Plan, Step
from jobs.planning.findings import Findings
from jobs.planning.words import sentences
from jobs.wording import listed
from pools.mounting import check_place
from pools.sentences import are, shares_of, tree


class MountDataset(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Mount a file system; with `recursive` also all below it that are mounted by themselves."""

    name: Annotated[str, Meta(max_length=1024)]
    recursive: bool = False


def why_not(dataset: Dataset) -> tuple[str, str] | None:
    """The code and the words of what keeps a dataset from being mounted; None where it can be."""
    place = dataset.value("mountpoint") or "none"
    if dataset.kind == "volume":
        return "is-volume", f"{dataset.name} is a volume. It is a block device and has no files to mount."
    if dataset.mounted:
        return "mounted", f"{dataset.name} is mounted already, at {place}."
    if dataset.value("keystatus") == "unavailable":
        return "locked", f"{dataset.name} is locked. Load its key first."
    if dataset.value("canmount") == "off":
        return (
            "canmount-off",
            f"canmount is off: {dataset.name} only passes its properties on to the datasets below it.",
        )
    if place == "none":
        return "no-mountpoint", f"{dataset.name} has no mount point. Set mountpoint to a folder first."
    if place == "legacy":
        return "legacy-mountpoint", f"{dataset.name} is mounted by /etc/fstab: its mount point is legacy."
    if dataset.folder_empty is False and dataset.value("overlay") == "off":
        return "folder-full", f"The folder {place} is not empty, and overlay is off. Empty that folder first."
    return None


def plan(request: MountDataset, inventory: Inventory) -> Plan:
    """Raises `Refused` where it cannot be mounted. Warns of files that a mount would hide."""
    findings = Findings()
    dataset = inventory.dataset(request.name)
    if dataset is None:
        findings.refuse("unknown-dataset", "name", "There is no dataset of that name.")
    below = inventory.below(dataset.name) if request.recursive else ()
    wanted = [one for one in below if one.value("canmount") == "on" and why_not(one) is None]
    reason = why_not(dataset)
    if reason is None:
        wanted = [dataset, *wanted]
    elif reason[0] not in {"mounted", "canmount-off"} or not wanted:
        findings.refuse(reason[0], "name", reason[1])
    places = {one.value("mountpoint") for one in wanted}
    for one in wanted:
        check_place(one.name, one.value("mountpoint"), "name", findings)
        _add_findings(one, places, inventory, findings)
    findings.refuse_on_error()
    locked = [one for one in below if one.value("keystatus") == "unavailable" and not one.mounted]
    for one in locked:
        findings.info("locked", "name", f"{one.name} stays unmounted: it is locked.")
    return Plan(
        operation="dataset.mount",
        steps=(
            Step(
                title=f"Mount {dataset.name}" if len(wanted) == 1 else f"Mount {len(wanted)} file systems",
                commands=tuple(ZfsMount(name=one.name) for one in _outer_first(wanted)),
            ),
        ),
        summary=_summary(dataset, wanted, locked, inventory),
        findings=findings.all(),
        claims=(f"dataset:{dataset.name}",),
    )


def _summary(dataset: Dataset, wanted: list[Dataset], locked: list[Dataset], inventory: Inventory) -> str:
    if len(wanted) == 1:
        place = wanted[0].value("mountpoint")
        first = f"{wanted[0].name} is mounted, and its files can be reached at {place}."
    elif dataset in wanted:
        what = tree(dataset.name, len(wanted) - 1, "file system")
        first = f"{what} are mounted, and their files can be reached."
    else:
        first = f"{len(wanted)} file systems below {dataset.name} are mounted: their files can be reached."
    over = [one.value("mountpoint") or "" for one in wanted if one.folder_empty is False]
    shut = [one.name for one in locked]
    shares = shares_of(wanted, inventory)
    return sentences(
        first,
        f"Files in the folder {listed(over)} itself are hidden while it is mounted." if over else "",
        f"{listed(shut)} {are(len(shut))} locked and stay{'s' if len(shut) == 1 else ''} unmounted."
        if shut
        else "",
        f"Clients can use {shares} again." if shares else "",
    )


def _outer_first(datasets: list[Dataset]) -> list[Dataset]:
    return sorted(datasets, key=lambda one: (one.value("mountpoint") or "").count("/"))


def _add_findings(
    dataset: Dataset, places: set[str | None], inventory: Inventory, findings: Findings
) -> None:
    place = dataset.value("mountpoint") or ""
    findings.info("mounts", "name", f"{dataset.name} at {place}")
    if dataset.folder_empty is False:
        message = (
            f"The folder {place} is not empty. What it contains is hidden while {dataset.name} is mounted "
            "over it."
        )
        findings.warning("folder-full", "name", message)
    there = [one for one in inventory.datasets if one.mounted and one.value("mountpoint") == place]
    for other in there:
        message = f"{other.name} is mounted at {place} too, and its files will be hidden."
        findings.warning("mountpoint-taken", "name", message)
    inner = [one for one in inventory.datasets if one.mounted and _lies_in(one, place)]
    for other in inner:
        message = f"{other.name} is mounted at {other.value('mountpoint')}: it would be hidden by this mount."
        findings.warning("hides-a-mount", "name", message)
    parent = inventory.dataset(dataset.parent) if dataset.parent else None
    around = (parent.value("mountpoint") or "") if parent else ""
    waits = parent is not None and not parent.mounted and parent.value("canmount") == "on"
    if (
        parent
        and waits
        and place.startswith(f"{around}/")
        and around.startswith("/")
        and around not in places
    ):
        message = (
            f"{parent.name} is not mounted. Mounted later, it would hide {dataset.name}: mount it first."
        )
        findings.warning("parent-unmounted", "name", message)


def _lies_in(dataset: Dataset, place: str) -> bool:
    return (dataset.value("mountpoint") or "").startswith(f"{place}/")
