"""policy.run: what the clock does in one pool; take what is due, delete what nothing keeps any more.

What is due is decided by `pools.policies.tick` and stands in the request by name, so the plan is the same
when the job starts, and nothing has to be listed anew: to ask ZFS for all snapshots of a pool takes longer
than the run. ZFS itself refuses a name that is taken, and what is held or has clones.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated

import msgspec
from msgspec import Meta

from host.commands.base import DatasetName, SnapshotTag
from host.commands.datasets.snapshots import ZfsSnapshot
from host.inventory import Inventory, Pool, Snapshot
from host.inventory.redundancy import resilvering
from jobs.plan import Plan, Step
from jobs.planning.findings import Findings
from jobs.planning.words import sentences
from jobs.wording import counted
from pools.chosen import PoolText, check_writable, imported
from pools.policies.deleting import deletion
from pools.policies.rules.names import MARK, read_tag
from pools.sentences import are

_AT_ONCE = 2000  # names in one command: 255 bytes each are a quarter of the 2 MiB that Linux lets it have
_Tags = Annotated[tuple[SnapshotTag, ...], Meta(max_length=10_000)]
_Datasets = Annotated[tuple[DatasetName, ...], Meta(max_length=10_000)]


class RunPolicies(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Take and delete snapshots of `pool`. `take` has datasets by the name of their snapshot, `delete` names
    by dataset."""

    pool: PoolText
    take: Annotated[dict[SnapshotTag, _Datasets], Meta(max_length=10)] = {}
    delete: Annotated[dict[DatasetName, _Tags], Meta(max_length=10_000)] = {}


def plan(request: RunPolicies, inventory: Inventory) -> Plan:
    """Raises `Refused` while the pool cannot be changed, and for names that no policy gives."""
    findings = Findings()
    pool = imported(request.pool, inventory, findings, field="pool")
    check_writable(pool, findings, field="pool")
    if not any(request.take.values()) and not any(request.delete.values()):
        findings.error("nothing-to-do", "take", "Say what to take or delete.")
    if request.delete and resilvering(pool):
        findings.error(
            "resilvering", "delete", f"{pool.name} is resilvering. Deleting waits until it is done."
        )
    known = {dataset.name for dataset in inventory.datasets if dataset.pool == pool.name}
    for tag, datasets in request.take.items():
        _check(tag, "take", findings)
        for dataset in sorted(set(datasets) - known):
            findings.error("unknown-dataset", "take", f"There is no dataset {dataset} in {pool.name}.")
    taken = [dataset for datasets in request.take.values() for dataset in datasets]
    if len(set(taken)) < len(taken):
        findings.error("duplicate-dataset", "take", "One snapshot of each dataset is taken at a time.")
    for dataset, tags in request.delete.items():
        for tag in tags:
            _check(tag, "delete", findings)
        if dataset not in known:
            findings.error("unknown-dataset", "delete", f"There is no dataset {dataset} in {pool.name}.")
    findings.refuse_on_error()
    steps = [_taking(request, pool)] if taken else []
    lost = {dataset: _snapshots(dataset, tags) for dataset, tags in request.delete.items() if tags}
    if lost:
        steps.append(deletion(lost, inventory, "that their policies no longer retain"))
    return Plan(
        operation="policy.run",
        steps=tuple(steps),
        summary=_summary(pool, taken, sum(map(len, lost.values()))),
        findings=findings.all(),
        claims=(f"policies:{pool.name}",),
        confirm=pool.name,
    )


def _summary(pool: Pool, taken: list[str], expired: int) -> str:
    gone = f"{counted(expired, 'snapshot')} of {pool.name} that no policy retains any more {are(expired)}"
    what = taken[0] if len(taken) == 1 else f"{len(taken)} datasets of {pool.name}"
    return sentences(
        f"{what} {'gets' if len(taken) == 1 else 'get'} a scheduled snapshot." if taken else "",
        f"{gone} deleted for good." if expired else "",
    )


def _check(tag: str, field: str, findings: Findings) -> None:
    if read_tag(tag) is None:
        findings.error("bad-name", field, f"“{tag[:60]}” is not a name that policies give.")


def _taking(request: RunPolicies, pool: Pool) -> Step:
    """One transaction for all, unless there are more names than a command may have."""
    names = [f"{dataset}@{tag}" for tag, datasets in sorted(request.take.items()) for dataset in datasets]
    chunks = [tuple(names[start : start + _AT_ONCE]) for start in range(0, len(names), _AT_ONCE)]
    what = names[0] if len(names) == 1 else f"{len(names)} datasets of {pool.name}"
    title = f"Take a snapshot of {what}"
    if len(chunks) > 1:
        title += f", in {len(chunks)} transactions: more than {_AT_ONCE} names do not fit into one command"
    return Step(
        title=title,
        commands=tuple(ZfsSnapshot(names=chunk, properties={MARK: pool.guid}) for chunk in chunks),
    )


def _snapshots(dataset: str, tags: tuple[str, ...]) -> tuple[Snapshot, ...]:
    """By their names alone, which say when they were taken."""
    found: list[Snapshot] = []
    for tag in tags:
        read = read_tag(tag)
        moment = read[1] if read else datetime.fromtimestamp(0, UTC)
        found.append(
            Snapshot(
                name=f"{dataset}@{tag}", guid="0", created=int(moment.timestamp()), used_bytes=0,
                referenced_bytes=0,
            )
        )  # fmt: skip
    return tuple(found)
