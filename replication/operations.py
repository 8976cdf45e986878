"""The operations on replications."""

from __future__ import annotations

from typing import Any

from host.families import Family
from jobs.operation import Asked, Effect, Operation
from jobs.wording import Data, Wording
from replication.links import (
    NEW_REPLICATION,
    NEW_TARGET,
    REPLICATIONS,
    TARGETS,
    page_of,
    pairing_page,
    target_page,
)
from replication.pairings import accept, offer
from replication.pairings import change as change_pairing
from replication.pairings import remove as remove_pairing
from replication.replications import (
    change,
    create,
    delete,
    drop_partial,
    forward,
    freeze,
    go_live,
    prove,
    reverse,
    run,
)
from replication.targets import change as change_target
from replication.targets import create as create_target
from replication.targets import pair, remove, trust

_POOLS = frozenset({Family.POOLS})


def _pauses(data: Data) -> bool:
    """Whether it is paused or resumed, and nothing else."""
    return set(data) == {"id", "enabled"} and isinstance(data["enabled"], bool)


def _effect_of_change(data: Data) -> Effect:
    return "harmless" if _pauses(data) else "changes"


def _switch_back(data: Data) -> Asked | None:
    if not _pauses(data):
        return None
    return Asked("replication.change", {"id": data["id"], "enabled": not data["enabled"]})


def _title_of_change(data: Data) -> str:
    if not _pauses(data):
        return "Change a replication"
    return "Resume a replication" if data["enabled"] else "Pause a replication"


_TARGETS: tuple[Operation[Any], ...] = (
    Operation(
        name="target.create",
        request=create_target.CreateTarget,
        plan=create_target.plan,
        scope="pools:write",
        effect="changes",
        facts=_POOLS,
        remember=create_target.remember,
        wording=Wording(title="Add target {name}", page=NEW_TARGET, result=TARGETS, editable=True),
    ),
    Operation(
        name="target.pair",
        request=pair.PairTarget,
        plan=pair.plan,
        scope="pools:write",
        also_needs=pair.also_needs,
        effect="changes",  # somebody else's machine comes to know this one
        facts=frozenset({Family.NAMES, Family.NETWORK}),
        remember=pair.remember,
        wording=Wording(title="Pair with {name}", page=NEW_TARGET, result=TARGETS),
    ),
    Operation(
        name="target.trust",
        request=trust.TrustTarget,
        plan=trust.plan,
        scope="pools:write",
        effect="changes",
        facts=_POOLS,
        remember=trust.remember,
        wording=Wording(title="Trust a host key", page=target_page),
    ),
    Operation(
        name="target.change",
        request=change_target.ChangeTarget,
        plan=change_target.plan,
        scope="pools:write",
        effect="changes",
        facts=_POOLS,
        remember=change_target.remember,
        wording=Wording(title="Change a target", page=target_page),
    ),
    Operation(
        name="target.remove",
        request=remove.RemoveTarget,
        plan=remove.plan,
        scope="pools:write",
        effect="changes",
        facts=_POOLS,
        remember=remove.remember,
        wording=Wording(title="Remove a target", page=target_page, result=TARGETS),
    ),
)
_PAIRINGS: tuple[Operation[Any], ...] = (
    Operation(
        name="pairing.offer",
        request=offer.OfferPairing,
        plan=offer.plan,
        scope="pools:write",
        also_needs=offer.also_needs,
        effect="changes",
        facts=_POOLS,
        needs=offer.needs,
        remember=offer.remember,
        wording=Wording(title="Let {name} replicate here", page=NEW_TARGET, result=TARGETS, editable=True),
    ),
    Operation(
        name="pairing.accept",
        request=accept.AcceptPairing,
        plan=accept.plan,
        scope="pools:write",
        also_needs=accept.also_needs,
        effect="changes",
        facts=_POOLS,
        remember=accept.remember,
        wording=Wording(title="Accept the key of a paired machine", page=pairing_page),
    ),
    Operation(
        name="pairing.change",
        request=change_pairing.ChangePairing,
        plan=change_pairing.plan,
        scope="pools:write",
        also_needs=change_pairing.also_needs,
        effect="changes",
        facts=_POOLS,
        remember=change_pairing.remember,
        wording=Wording(title="Change what a paired machine may fetch", page=pairing_page),
    ),
    Operation(
        name="pairing.remove",
        request=remove_pairing.RemovePairing,
        plan=remove_pairing.plan,
        scope="pools:write",
        effect="changes",
        facts=_POOLS,
        remember=remove_pairing.remember,
        wording=Wording(title="Unpair a machine", page=pairing_page, result=TARGETS),
    ),
)
OPERATIONS: tuple[Operation[Any], ...] = (
    *_TARGETS,
    *_PAIRINGS,
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
        effect=_effect_of_change,
        facts=_POOLS,
        remember=change.remember,
        undo=_switch_back,
        wording=Wording(title=_title_of_change, page=page_of),
    ),
    Operation(
        name="replication.delete",
        request=delete.DeleteReplication,
        plan=delete.plan,
        scope="pools:write",
        effect="changes",
        facts=_POOLS,
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
        name="replication.drop-partial",
        request=drop_partial.DropPartialCopy,
        plan=drop_partial.plan,
        scope="pools:write",
        effect="destroys",
        facts=_POOLS,
        wording=Wording(title="Drop a broken stream of {name}", page=REPLICATIONS),
    ),
    Operation(
        name="replication.go-live",
        request=go_live.GoLive,
        plan=go_live.plan,
        scope="pools:write",
        effect="changes",
        facts=_POOLS,
        wording=Wording(title="Make the replica {dataset} live", page=REPLICATIONS),
    ),
    Operation(
        name="replication.freeze",
        request=freeze.FreezeReplica,
        plan=freeze.plan,
        needs=freeze.needs,
        scope="pools:write",
        effect="changes",
        facts=_POOLS,
        moves_datasets=True,
        wording=Wording(title="Freeze the replica {dataset}", page=REPLICATIONS),
    ),
    Operation(
        name="replication.reverse",
        request=reverse.ReverseReplication,
        plan=reverse.plan,
        scope="pools:write",
        effect="changes",
        facts=_POOLS,
        remember=reverse.remember,
        moves_datasets=True,
        wording=Wording(title="Copy a replica back", page=page_of),
    ),
    Operation(
        name="replication.forward",
        request=forward.ForwardReplication,
        plan=forward.plan,
        scope="pools:write",
        effect="changes",
        facts=_POOLS,
        remember=forward.remember,
        brings_back=forward.brings_back,
        wording=Wording(title="Go live and replicate again", page=page_of),
    ),
    Operation(
        name="replication.stop",
        request=run.StopReplicationRun,
        plan=run.plan_stop,
        scope="pools:write",
        effect="changes",
        facts=_POOLS,
        wording=Wording(title="Stop the replication {name}", page=REPLICATIONS),
    ),
)
