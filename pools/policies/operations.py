"""The operations on snapshot policies."""

from __future__ import annotations

from typing import Any

from host.families import Family
from jobs.operation import Operation
from jobs.wording import Wording, at
from pools.policies import prune, run_policies, set_policy

OPERATIONS: tuple[Operation[Any], ...] = (
    Operation(
        name="policy.set",
        request=set_policy.SetPolicy,
        plan=set_policy.plan,
        scope="pools:write",
        effect="destroys",  # what a smaller policy does not keep
        facts=frozenset({Family.POOLS}),
        needs=set_policy.needs,
        wording=Wording(
            title="Set the snapshot policy of {dataset}", page=at("Policy", "/policies/{dataset:/}/")
        ),
    ),
    Operation(
        name="policy.run",
        request=run_policies.RunPolicies,
        plan=run_policies.plan,
        scope="pools:write",
        effect="destroys",
        facts=frozenset({Family.POOLS}),
        routine=True,
        wording=Wording(title="Scheduled snapshots of {pool}", page=at("Policies", "/policies/")),
    ),
    Operation(
        name="policy.prune",
        request=prune.PrunePool,
        plan=prune.plan,
        scope="pools:write",
        effect="destroys",
        facts=frozenset({Family.POOLS}),
        needs=prune.needs,
        wording=Wording(title="Delete expired snapshots in {pool}", page=at("Policies", "/policies/")),
    ),
)
