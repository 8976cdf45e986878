"""policy.prune: delete what policies keep no longer, after a person has looked at what that is."""

from __future__ import annotations

from datetime import datetime

import msgspec

from host.inventory import Inventory, Snapshot
from host.inventory.redundancy import resilvering
from jobs.needs import Needs, SnapshotNeeds
from jobs.plan import Plan
from jobs.planning.findings import Findings
from jobs.planning.words import sentences
from jobs.wording import counted, listed
from pools.chosen import PoolText, check_writable, imported
from pools.policies.deleting import deletion
from pools.policies.rules.effective import all_effective
from pools.policies.rules.retention import doomed
from pools.sentences import are


class PrunePool(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Delete the snapshots of `pool` that their policies no longer retain, however many there are."""

    pool: PoolText


def needs(request: PrunePool, _inventory: Inventory) -> Needs:
    """The datasets whose snapshots the plan looks at."""
    return Needs(snapshots=SnapshotNeeds(datasets=(request.pool,)))


def plan(request: PrunePool, inventory: Inventory) -> Plan:
    """Raises `Refused` where nothing is to be deleted, and while the pool resilvers."""
    findings = Findings()
    pool = imported(request.pool, inventory, findings, field="pool")
    check_writable(pool, findings, field="pool")
    if resilvering(pool):
        findings.error("resilvering", "pool", f"{pool.name} is resilvering. Delete when that has finished.")
    now = datetime.fromisoformat(inventory.as_of)
    lost: dict[str, tuple[Snapshot, ...]] = {}
    for one in all_effective(inventory):
        if one.policy is None or not one.acts or one.dataset.partition("/")[0] != pool.name:
            continue
        if going := doomed(inventory.snapshots.get(one.dataset, ()), one.policy, now, pool_guid=pool.guid):
            lost[one.dataset] = going
    if not lost:
        findings.error(
            "nothing-to-delete", "pool", f"The policies in {pool.name} retain everything there is."
        )
    findings.refuse_on_error()
    return Plan(
        operation="policy.prune",
        steps=(deletion(lost, inventory, "that their policies no longer retain"),),
        summary=_summary(lost),
        findings=findings.all(),
        claims=(f"policies:{pool.name}",),
        confirm=pool.name,
    )


def _summary(lost: dict[str, tuple[Snapshot, ...]]) -> str:
    count = sum(map(len, lost.values()))
    return sentences(
        f"{counted(count, 'snapshot')} of {listed(list(lost))} that no policy retains any more {are(count)} "
        "deleted for good.",
        "The current files and all other snapshots stay as they are.",
    )
