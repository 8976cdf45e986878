"""dataset.rewrite: write a dataset anew, or go on with that."""

from __future__ import annotations

from typing import Literal

import msgspec

from host.commands.datasets.zfs import ZfsSet
from host.commands.replication.runs import StartReplication
from host.inventory import Dataset, Inventory
from host.mountpoints import place_fault
from host.replication.rewriting import Rewrite
from jobs.plan import Plan, Step
from jobs.planning.findings import Findings
from jobs.planning.words import sentences
from jobs.wording import listed
from pools.names import dataset_name_fault
from pools.quotas.limits import in_words
from pools.sentences import tree as said
from replication.models import RewriteRow
from replication.replications.live import tree_of
from replication.replications.wanted import new_key
from replication.rewrites.known import DatasetText, task_of
from replication.rewrites.room import needed_bytes
from replication.rewrites.settings import SHARED_BY_ZFS, settings_of

_LONGEST = 255
_TAG = 40  # of the snapshot that it takes
_SHOWN = ("compression", "checksum", "dedup", "copies")


class RewriteDataset(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Write all blocks of a dataset and of all below it anew, into a copy beside it, so that they are stored
    as its compression, checksum and dedup say now. `dedup` off turns deduplication off first.

    The dataset is used meanwhile. The copy takes its place later, at one click.
    """

    dataset: DatasetText
    dedup: Literal["keep", "off"] = "keep"


def plan(request: RewriteDataset, inventory: Inventory) -> Plan:
    """Raises `Refused` for what cannot be written anew, and where there is no room for it twice."""
    findings = Findings()
    tree = tree_of(request.dataset, inventory)
    if not tree:
        findings.refuse("unknown-dataset", "dataset", "There is no dataset of that name.")
    top = tree[0]
    if top.parent is None:
        message = f"{top.name} is the root of its pool, whose place none can take. Choose a dataset below it."
        findings.refuse("is-pool-root", "dataset", message)
    pool = inventory.pool(top.pool)
    if pool is not None and pool.altroot:
        message = f"{pool.name} is imported below {pool.altroot}: mount points would be set twice over."
        findings.error("other-root", "dataset", message)
    known = _known(request, inventory)
    _check_standing(known, inventory, findings)
    for one in tree:
        _check(one, inventory, findings)
        _check_length(one, top, findings)
    _check_room(tree, known, inventory, findings)
    findings.refuse_on_error()
    duplicating = _deduplicated(tree) if request.dedup == "off" else ()
    _say_settings(tree, findings, without=("dedup",) if duplicating else ())
    off = tuple(ZfsSet(name=one.name, properties={"dedup": "off"}) for one in duplicating)
    steps = [Step(title="Turn deduplication off", commands=off)] if off else []
    steps.append(Step(title=f"Begin to copy {top.name}", commands=(StartReplication(task=task_of(known)),)))
    used = in_words(top.number("used"))
    return Plan(
        operation="dataset.rewrite",
        steps=tuple(steps),
        summary=sentences(
            f"{said(top.name, len(tree) - 1)} ({used}) {'are' if len(tree) > 1 else 'is'} copied to "
            f"{known.copy}, with all snapshots, and then compared file by file.",
            f"{top.name} stays as it is and is used meanwhile"
            f"{', and what is written from now on is not deduplicated' if off else ''}.",
            f"Until the end {in_words(needed_bytes(tree))} more of {top.pool} are taken.",
        ),
        takes="as long as it takes to read and write all of it, in the background",
        findings=findings.all(),
        claims=(f"dataset:{top.name}", f"rewrite:{top.name}"),
    )


def remember(request: RewriteDataset, inventory: Inventory, _actor: str) -> None:
    """Its run is followed from now on. What it gives back in the end is as it was at the very start."""
    known = _known(request, inventory)
    RewriteRow.objects.update_or_create(
        dataset=known.dataset,
        defaults={"running": True, "proof": None},
        create_defaults={
            "key": known.key, "running": True, "settings": settings_of(tree_of(request.dataset, inventory)),
        },
    )  # fmt: skip


def _known(request: RewriteDataset, inventory: Inventory) -> Rewrite:
    found, dataset = inventory.rewrite(request.dataset), inventory.dataset(request.dataset)
    guid = "" if dataset is None else dataset.guid
    return found or Rewrite(key=new_key("rewrite", guid), dataset=request.dataset)


def _check_standing(known: Rewrite, inventory: Inventory, findings: Findings) -> None:
    begun = inventory.rewrite(known.dataset) is not None
    if known.running or known.comparing:
        findings.error("already-running", "dataset", f"{known.dataset} is being copied or compared already.")
    if known.live:
        message = (
            f"{known.dataset} was written anew. End that first: what was there before is at {known.before}."
        )
        findings.error("is-live", "dataset", message)
    for name in () if begun else (known.copy, known.before):
        if inventory.dataset(name) is not None:
            findings.error("name-taken", "dataset", f"There is a dataset {name}. Rename it first.")
    for other in inventory.rewrites:
        if other.dataset != known.dataset and f"{other.dataset}/".startswith(f"{known.dataset}/"):
            message = f"{other.dataset} below it is being written anew. End that first."
            findings.error("overlaps", "dataset", message)
        around = (f"{other.dataset}/", f"{other.copy}/", f"{other.before}/")
        if other.dataset != known.dataset and f"{known.dataset}/".startswith(around):
            message = f"{other.dataset} is being written anew. End that first."
            findings.error("overlaps", "dataset", message)


def _check(one: Dataset, inventory: Inventory, findings: Findings) -> None:
    if one.value("encryption") not in {None, "", "off", "-"}:
        message = (
            f"{one.name} is encrypted: written anew it could not be used with its own key. Create a new "
            "dataset and copy the files."
        )
        findings.error("encrypted", "dataset", message)
    for name in SHARED_BY_ZFS:
        if one.value(name) not in {None, "off", "-"}:
            message = f"{one.name} has {name} on, which this console does not set again. Turn it off first."
            findings.error("shared-by-zfs", "dataset", message)
    place = one.properties.get("mountpoint")
    if place is not None and place.source in {"local", "received"} and (fault := place_fault(place.value)):
        findings.error("bad-place", "dataset", f"{one.name}: {fault}")
    origin = one.value("origin") or "-"
    if origin != "-":
        message = f"{one.name} is a clone: written anew it shares nothing with {origin} any more."
        findings.warning("is-clone", "dataset", message)
    for other in inventory.datasets:
        if (other.value("origin") or "").partition("@")[0] == one.name:
            message = f"{other.name} is a clone of {one.name}. Promote or destroy it first."
            findings.error("has-clones", "dataset", message)


def _check_length(one: Dataset, top: Dataset, findings: Findings) -> None:
    name = f"{top.name}.rewritten{one.name.removeprefix(top.name)}"
    if fault := dataset_name_fault(name, spaces=True):
        findings.error("bad-name", "dataset", f"{name[:120]}: {fault}")
    elif len(name) + 1 + _TAG > _LONGEST:
        findings.error("name-too-long", "dataset", f"{one.name[:120]} has too long a name. Rename it first.")


def _check_room(tree: tuple[Dataset, ...], known: Rewrite, inventory: Inventory, findings: Findings) -> None:
    top = tree[0]
    parent = inventory.dataset(top.parent or "")
    copied = inventory.dataset(known.copy)
    wanted = needed_bytes(tree) - (copied.number("used") if copied else 0)
    free = parent.number("available") if parent else 0
    if wanted > free:
        message = f"{in_words(wanted)} are needed, and {in_words(free)} are free in {top.parent}."
        findings.error("no-room", "dataset", message)
    elif wanted > free * 0.8:
        message = f"Only {in_words(free - wanted)} will be free in {top.parent} until the end."
        findings.warning("little-room", "dataset", message)


def _say_settings(tree: tuple[Dataset, ...], findings: Findings, *, without: tuple[str, ...]) -> None:
    top = tree[0]
    values = [f"{name} {value}" for name in _SHOWN if name not in without and (value := top.value(name))]
    if values:
        below = ", where nothing else is set below it" if len(tree) > 1 else ""
        findings.info("as-now", "dataset", f"Written with {listed(values)}{below}.")


def _deduplicated(tree: tuple[Dataset, ...]) -> tuple[Dataset, ...]:
    """Where it has to be turned off: at the top, and where somebody turned it on below."""
    found = []
    for index, one in enumerate(tree):
        dedup = one.properties.get("dedup")
        own = dedup is not None and dedup.source in {"local", "received"}
        if dedup is not None and dedup.value != "off" and (index == 0 or own):
            found.append(one)
    return tuple(found)
