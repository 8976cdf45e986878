"""The operations on replications."""

from __future__ import annotations

from typing import Any

from host.families import NOTHING, Family
from jobs.operation import Operation
from jobs.wording import Wording
from replication.links import NEW_REPLICATION, REPLICATIONS, page_of
from replication.replications import change, create, delete, prove, run

_POOLS = frozenset({Family.POOLS})

OPERATIONS: tuple[Operation[Any], ...] = (
    Operation(
        name="replication.create",
        request=create.CreateReplication,
        plan=create.plan,
        scope="pools:write",
        effect="changes",  # somebody else's machine gets the data from then on
        facts=_POOLS,
        remember=create.remember,
        wording=Wording(
            title="Create replication {name}", page=NEW_REPLICATION, result=REPLICATIONS, editable=True
        ),
    ),
    Operation(
        name="replication.change",
        request=change.ChangeReplication,
        plan=change.plan,
        scope="pools:write",
        effect="changes",
        facts=_POOLS,
        remember=change.remember,
        wording=Wording(title="Change a replication", page=page_of),
    ),
    Operation(
        name="replication.delete",
        request=delete.DeleteReplication,
        plan=delete.plan,
        scope="pools:write",
        effect="changes",
        facts=NOTHING,
        remember=delete.remember,
        wording=Wording(title="Delete a replication", page=page_of, result=REPLICATIONS),
    ),
    Operation(
        name="replication.run",
        request=run.RunReplication,
        plan=run.plan,
        scope="pools:write",
        effect="harmless",
        facts=_POOLS,
        remember=run.remember,
        wording=Wording(title="Replicate: {name}", page=REPLICATIONS),
        routine=True,
    ),
    Operation(
        name="replication.prove",
        request=prove.ProveReplica,
        plan=prove.plan,
        scope="pools:write",
        effect="harmless",
        facts=_POOLS,
        remember=prove.remember,
        wording=Wording(title="Prove the replica of {name}", page=REPLICATIONS),
        routine=True,
    ),
    Operation(
        name="replication.stop",
        request=run.StopRun,
        plan=run.plan_stop,
        scope="pools:write",
        effect="changes",
        facts=NOTHING,
        wording=Wording(title="Stop the replication {name}", page=REPLICATIONS),
    ),
)
