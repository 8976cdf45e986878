"""dataset.rename: another name or another parent in the same pool, for a dataset and all below it."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from host.commands.datasets.datasets import ZfsRename
from host.inventory import Dataset, Inventory
from host.inventory.moving import place_after, renamed
from jobs.needs import Needs, SnapshotNeeds
from jobs.plan import Plan, Step
from jobs.planning.findings import Findings
from jobs.planning.words import sentences
from jobs.wording import counted, listed
from pools.datasets.rewritten import check_rewrites
from pools.mounting import check_loosened, check_place, rights_given
from pools.names import dataset_name_fault
from pools.sentences import shares_of

_Text = Annotated[str, Meta(max_length=1024)]


class RenameDataset(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Call a dataset `to`, its whole new path.

    With `keep_mounts` file systems stay mounted where they are until they are mounted again.
    """

    name: _Text
    to: _Text
    keep_mounts: bool = False


def needs(request: RenameDataset, _inventory: Inventory) -> Needs:
    """The datasets whose snapshots the plan looks at."""
    return Needs(snapshots=SnapshotNeeds(datasets=(request.name,)))


def plan(request: RenameDataset, inventory: Inventory) -> Plan:
    """Raises `Refused` with all faults. Its findings list all that gets another name or place."""
    findings = Findings()
    dataset = inventory.dataset(request.name)
    if dataset is None:
        findings.refuse("unknown-dataset", "name", "There is no dataset of that name.")
    if dataset.parent is None:
        message = f"{dataset.name} is the root of its pool. Export the pool and import it under another name."
        findings.refuse("is-pool-root", "name", message)
    _check_target(dataset, request.to, inventory, findings)
    findings.refuse_on_error()
    moving = (dataset, *inventory.below(dataset.name))
    _check_lengths(dataset, request.to, moving, inventory, findings)
    _check_keys(dataset, request.to, inventory, findings)
    check_rewrites(moving, inventory, findings, "name")
    findings.refuse_on_error()
    _add_moves(dataset, request, moving, inventory, findings)
    _add_inheritance(dataset, request.to, inventory, findings)
    _add_known_by_name(dataset, request.to, moving, inventory, findings)
    findings.refuse_on_error()
    command = ZfsRename(name=dataset.name, to=request.to, keep_mounts=request.keep_mounts)
    return Plan(
        operation="dataset.rename",
        steps=(Step(title=f"Rename {dataset.name} to {request.to}", commands=(command,)),),
        summary=_summary(dataset, request, moving, inventory),
        findings=findings.all(),
        claims=(f"dataset:{dataset.name}", f"dataset:{request.to}"),
    )


def _summary(
    dataset: Dataset, request: RenameDataset, moving: tuple[Dataset, ...], inventory: Inventory
) -> str:
    below = len(moving) - 1
    tags = sum(len(inventory.snapshots.get(one.name, ())) for one in moving)
    along = listed(
        [
            *([f"{counted(below, 'dataset')} below it"] if below else []),
            *([counted(tags, "snapshot")] if tags else []),
        ]
    )
    first = f"{dataset.name} is renamed to {request.to}" + (f", together with {along}." if along else ".")
    before, then = dataset.value("mountpoint"), place_after(dataset, dataset.name, request.to, inventory)
    if dataset.kind == "volume":
        return sentences(first, "Whatever opens its block device has to use the new name.")
    if then is None or then == before:
        return sentences(first, f"Its files stay at {before}." if dataset.mounted else "")
    if not then.startswith("/"):
        return sentences(
            first, f"{request.to.rpartition('/')[0]} passes on no mount point, so it is unmounted."
        )
    if not dataset.mounted:
        return sentences(first, f"Once it is mounted, its files are at {then}.")
    if request.keep_mounts:
        return sentences(
            first, f"Its files stay at {before} until it is mounted again, and are then at {then}."
        )
    mounted = [one for one in moving if one.mounted]
    shares, guids = shares_of(mounted, inventory), {one.guid for one in mounted}
    by_nfs = any(one.enabled and one.guid in guids for one in inventory.sharing.nfs)
    return sentences(
        first,
        f"Its files move from {before} to {then}.",
        f"Clients of {shares} are disconnected for a "
        f"moment{', and NFS clients have to mount the new path' if by_nfs else ''}."
        if shares
        else "It is unmounted for a moment, which fails while files in it are open.",
    )


def _check_target(dataset: Dataset, to: str, inventory: Inventory, findings: Findings) -> None:
    if fault := dataset_name_fault(to):
        findings.error("bad-name", "to", fault)
        return
    parent = inventory.dataset(to.rpartition("/")[0])
    if to == dataset.name:
        findings.error("same-name", "to", f"It is called {to} already.")
    elif to.startswith(f"{dataset.name}/"):
        findings.error("into-itself", "to", f"{dataset.name} cannot be moved below itself.")
    elif to.partition("/")[0] != dataset.pool:
        message = (
            f"Renaming cannot move a dataset to another pool. Choose a name that begins with {dataset.pool}/."
        )
        findings.error("other-pool", "to", message)
    elif inventory.dataset(to):
        findings.error("name-taken", "to", f"There is a dataset {to} already.")
    elif parent is None:
        findings.error("unknown-parent", "to", f"Create {to.rpartition('/')[0]} first: it does not exist.")
    elif parent.kind == "volume":
        findings.error("parent-is-volume", "to", f"{parent.name} is a volume and holds no datasets.")


def _check_lengths(
    dataset: Dataset, to: str, moving: tuple[Dataset, ...], inventory: Inventory, findings: Findings
) -> None:
    for one in moving:
        name = renamed(one.name, dataset.name, to)
        tags = (snapshot.tag for snapshot in inventory.snapshots.get(one.name, ()))
        longest = len(name) + max((len(tag) + 1 for tag in tags), default=0)
        if longest > 255 or name.count("/") >= 50:
            message = (
                f"{one.name} or a snapshot of it would get a name of {longest} characters; ZFS allows 255."
            )
            findings.error("name-too-long", "to", message)


def _check_keys(dataset: Dataset, to: str, inventory: Inventory, findings: Findings) -> None:
    """What inherits its key must stay below the dataset that has it (zfs-rename(8), "encryption root")."""
    root = dataset.value("encryptionroot") or "-"
    if root not in {"-", dataset.name} and not f"{to}/".startswith(f"{root}/"):
        message = (
            f"{dataset.name} uses the key of {root} and must stay below it. Give it a key of its own first."
        )
        findings.error("leaves-its-key", "to", message)
    parent = inventory.dataset(to.rpartition("/")[0])
    above = parent.value("encryption") if parent else None
    if root == "-" and above not in {None, "off", "-"}:
        message = (
            f"Everything below {to.rpartition('/')[0]} is encrypted; {dataset.name} stays unencrypted there."
        )
        findings.warning("stays-unencrypted", "to", message)


def _add_moves(
    dataset: Dataset,
    request: RenameDataset,
    moving: tuple[Dataset, ...],
    inventory: Inventory,
    findings: Findings,
) -> None:
    for one in moving:
        name = renamed(one.name, dataset.name, request.to)
        findings.info("renamed", "to", f"{one.name} becomes {name}")
        place = place_after(one, dataset.name, request.to, inventory)
        before = one.value("mountpoint")
        if place is None or place == before:
            continue
        check_place(name, place, "to", findings)
        when = " when it is mounted again" if request.keep_mounts or not one.mounted else ""
        findings.info("moves", "to", f"{name} moves from {before} to {place}{when}")
        if one.mounted and not request.keep_mounts:
            message = f"{one.name} is unmounted for a moment. This fails while files in it are open."
            findings.info("unmounted", "to", message)
    tags = sum(len(inventory.snapshots.get(one.name, ())) for one in moving)
    if tags:
        message = f"{counted(tags, 'snapshot')} will move with it; what follows the @ stays."
        findings.info("snapshots-follow", "to", message)
    names = {one.name for one in moving}
    for other in inventory.datasets:
        if (other.value("origin") or "").partition("@")[0] in names:
            findings.info("clone-follows", "to", f"{other.name} stays a clone of it.")


def _add_known_by_name(
    dataset: Dataset, to: str, moving: tuple[Dataset, ...], inventory: Inventory, findings: Findings
) -> None:
    """What another machine may read or write it knows by its name, and a replica is found by its name."""
    names, replicating = {one.name for one in moving}, inventory.replicating
    for pairing in replicating.pairings:
        for name in (one for one in pairing.shared if one in names):
            message = (
                f"{pairing.name} may read {name}, by that name. Share {renamed(name, dataset.name, to)} with "
                "it instead, on its page: what gets the old name later would be shared."
            )
            findings.warning("read-by-name", "to", message)
        if pairing.dataset in names:
            message = f"{pairing.name} replicates to {pairing.dataset}, and cannot find it any more."
            findings.warning("written-by-name", "to", message)
    for task in replicating.tasks:
        target = replicating.target(task.target_id)
        if task.target in names and (task.pull or (target is not None and target.kind == "pool")):
            message = (
                f"{task.target} is the replica of {task.source}: the replication {task.name} does not find "
                "it any more, and copies everything anew."
            )
            findings.warning("is-replica", "to", message)


def _add_inheritance(dataset: Dataset, to: str, inventory: Inventory, findings: Findings) -> None:
    """What it will inherit from another parent."""
    above = to.rpartition("/")[0]
    parent = inventory.dataset(above)
    if parent is None or above == dataset.parent:
        return
    kept = {name: one.value for name, one in dataset.properties.items() if one.source != "inherited"}
    check_loosened(to, rights_given(dataset), rights_given(parent, kept), "to", findings)
    for name, found in sorted(dataset.properties.items()):
        handed = parent.value(name)
        if found.source == "inherited" and name != "mountpoint" and handed not in {None, found.value}:
            findings.info("inherits", "to", f"{name}: {found.value} → {handed}, from {above}")
