"""Examples of replications."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from host.inventory import Inventory
from host.replication.rewriting import Rewrite
from host.replication.values import Replicating, Replication, Target
from jobs.plan import Plan
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
from replication.replications.wanted import WantedRetention, WantedTimes
from replication.rewrites import begin, compare, end, stop, switch
from tests import made

_NIGHTLY = WantedTimes(cron="0 3 * * *", time_zone="Europe/Berlin")


_QUIET = {"readonly": "on", "canmount": "noauto", "mountpoint": "/mnt/tank/old", "mounted": "no"}


def _machine(*more: Replication) -> Inventory:
    target = Target(
        id=1, name="attic", kind="ssh", dataset="vault/copies", connection="0" * 16, host="10.0.0.7"
    )
    beside = Target(id=2, name="second pool", kind="pool", dataset="tank", pool_guid=made.pool("tank").guid)
    task = Replication(
        id=1, key="0" * 16, name="photos", source="tank/photos", target_id=1, target="vault/copies/photos",
        excluded=("tank/photos/cache",),
    )  # fmt: skip
    letters = Replication(
        id=2, key="1" * 16, name="letters", source="tank/letters", target_id=2, target="tank/copies/letters"
    )
    paired = Target(
        id=3, name="cellar", kind="nasweb", dataset="vault/home", connection="2" * 16, host="10.0.0.8"
    )
    albums = Replication(
        id=3, key="2" * 16, name="albums", source="tank/photos", target_id=3, target="vault/home/albums"
    )
    found = made.inventory(
        pools=(made.pool("tank"),),
        datasets=(made.dataset("tank"), made.dataset("tank/photos"), made.dataset("tank/old", **_QUIET)),
    )
    return msgspec.structs.replace(
        found, replicating=Replicating(targets=(target, beside, paired), tasks=(task, letters, albums, *more))
    )


def _rewriting(known: dict[str, Any] | None) -> Inventory:
    """tank/photos with 300 GB that are deduplicated, and beside it what there is of it anew."""
    values = {"dedup": "on", "used": str(300 * 10**9), "mountpoint": "/mnt/tank/photos", "mounted": "yes"}
    datasets = [made.dataset("tank", available=str(10**12)), made.dataset("tank/photos", **values)]
    if known is None:
        return made.inventory(pools=(made.pool("tank"),), datasets=tuple(datasets))
    one = Rewrite(key="3" * 16, dataset="tank/photos", **known)
    other = one.before if one.live else one.copy
    datasets.append(made.dataset(other, **_QUIET | {"used": values["used"]}))
    found = made.inventory(pools=(made.pool("tank"),), datasets=tuple(datasets))
    return msgspec.structs.replace(found, rewrites=(one,))


def _live() -> Inventory:
    """With the replica of tank/letters in use."""
    found, name = _machine(), "tank/copies/letters"
    return msgspec.structs.replace(found, datasets=(*found.datasets, made.dataset(name)))


def _back() -> Inventory:
    """With a replication of tank/old that has come back."""
    return _machine(
        Replication(
            id=9, key="9" * 16, name="old", source="tank/old", target_id=1, target="vault/copies/old",
            back=True, verdict="done", kept={"tank/old": {"quota": "1073741824", "mountpoint": "/mnt/old"}},
        )
    )  # fmt: skip


def _create(**more: object) -> Plan:
    request = {
        "name": "papers",
        "source": "tank/photos",
        "target": "attic",
        "dataset": "vault/copies/papers",
    }
    return create.plan(create.CreateReplication(**(request | more)), _machine())  # type: ignore[arg-type]


EXAMPLES: dict[str, tuple[Callable[[], Plan], ...]] = {
    "replication.create": (
        _create,
        lambda: _create(recursive=False, schedule=_NIGHTLY),
        lambda: _create(after_snapshots=True),
        lambda: _create(keep=WantedRetention(hourly=24, daily=30, monthly=1)),
    ),
    "replication.change": (
        lambda: change.plan(change.ChangeReplication(id=1, schedule=_NIGHTLY), _machine()),
        lambda: change.plan(change.ChangeReplication(id=1, enabled=False), _machine()),
    ),
    "replication.delete": (lambda: delete.plan(delete.DeleteReplication(id=1), _machine()),),
    "replication.run": (lambda: run.plan(run.RunReplication(name="photos"), _machine()),),
    "replication.prove": (
        lambda: prove.plan(prove.ProveReplica(name="letters"), _machine()),
        lambda: prove.plan(prove.ProveReplica(name="albums"), _machine()),
    ),
    "replication.drop-partial": (
        lambda: drop_partial.plan(
            drop_partial.DropPartialCopy(name="photos", source="tank/photos/raw"), _machine()
        ),
    ),
    "replication.go-live": (lambda: go_live.plan(go_live.GoLive(dataset="tank/old"), _machine()),),
    "replication.freeze": (
        lambda: freeze.plan(freeze.FreezeReplica(dataset="tank/copies/letters"), _live()),
    ),
    "replication.reverse": (
        lambda: reverse.plan(reverse.ReverseReplication(id=1), _machine()),
        lambda: reverse.plan(reverse.ReverseReplication(id=2, into="tank/lost"), _live()),
    ),
    "replication.forward": (lambda: forward.plan(forward.ForwardReplication(id=9), _back()),),
    "dataset.rewrite": (
        lambda: begin.plan(begin.RewriteDataset(dataset="tank/photos", dedup="off"), _rewriting(None)),
    ),
    "dataset.stop-rewrite": (
        lambda: stop.plan(stop.StopRewrite(dataset="tank/photos"), _rewriting({"running": True})),
    ),
    "dataset.compare-rewrite": (
        lambda: compare.plan(compare.CompareRewrite(dataset="tank/photos"), _rewriting({"verdict": "done"})),
    ),
    "dataset.switch-rewrite": (
        lambda: switch.plan(
            switch.SwitchRewrite(dataset="tank/photos"), _rewriting({"verdict": "done", "compared": "same"})
        ),
        lambda: switch.plan(
            switch.SwitchRewrite(dataset="tank/photos", back=True), _rewriting({"live": True})
        ),
    ),
    "dataset.end-rewrite": (
        lambda: end.plan(end.EndRewrite(dataset="tank/photos"), _rewriting({"verdict": "stopped"})),
        lambda: end.plan(end.EndRewrite(dataset="tank/photos"), _rewriting({"live": True})),
    ),
    "replication.stop": (lambda: run.plan_stop(run.StopReplicationRun(name="photos"), _machine()),),
}
