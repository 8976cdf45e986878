"""`targets/`: places where replicas lie."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

import msgspec
from rest_framework.request import Request
from rest_framework.response import Response

from host import typed
from host.contents.ssh import fingerprint
from host.inventory import Inventory
from host.pairing.probed import Probed
from host.replication.values import TargetKind
from jobs.api import paging
from jobs.api.document import PAGING, PREFER, describe
from jobs.api.operations import writes
from jobs.api.questions import StillAsking, answered
from jobs.api.shapes import Moment
from jobs.api.views import View, found, inventory_now
from replication.models import TargetRow
from replication.rotating.rules import Stage
from replication.rotating.stored import visit_of
from replication.stored import target_of
from replication.targets.change import ChangeTarget
from replication.targets.create import CreateTarget
from replication.targets.pair import PairTarget
from replication.targets.reaching import PROBE, SETUP, TargetProbe, TargetSetup, shown
from replication.targets.remove import RemoveTarget
from replication.targets.trust import TrustTarget


class VisitAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """How far a rotating disk has come since it was plugged in: `away`, on its way, `done` when it may be
    unplugged, or `left` to the person who imported its pool. `waits_for` is why a step
    was refused, failed or waits; `blocked` whether that needs somebody's help."""

    stage: Stage
    waits_for: str
    blocked: bool


class TargetAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """A target. `present` is whether its pool is imported, null for another machine; `visit` is null for what
    is no rotating disk. `ready`, `words` and `zfs` (its version of OpenZFS) are of the last probe of another
    machine, and null before the first one."""

    id: int
    name: str
    kind: TargetKind
    dataset: str
    rotating: bool
    present: bool | None
    visit: VisitAnswer | None
    host: str
    port: int
    user: str
    machine: str
    fingerprints: tuple[str, ...]
    shared: tuple[str, ...]
    replications: tuple[str, ...]
    made_at: Moment
    probed_at: Moment | None
    reached_at: Moment | None
    ready: bool | None
    words: str | None
    zfs: str | None


class TargetPage(msgspec.Struct, frozen=True, kw_only=True):
    """Targets by their names."""

    results: tuple[TargetAnswer, ...]
    next: str | None
    as_of: Moment


class Targets(View):
    """All of them."""

    area = "pools"

    @describe("list_targets", {200: TargetPage}, parameters=PAGING)
    def get(self, request: Request) -> Response:
        """A page of targets."""
        inventory = inventory_now()
        rows = tuple(TargetRow.objects.all())
        return paging.of_values(
            request, rows, key=lambda row: row.name, show=lambda row: answer_of(row, inventory),
            as_of=inventory.as_of,
        )  # fmt: skip

    @writes("target.create", CreateTarget)
    def post(self, request: Request) -> Mapping[str, Any]:
        """Add a pool of this machine, or another host with OpenZFS and SSH. Another Nasweb is paired
        instead."""
        return {}


class Pair(View):
    """Another Nasweb as a target."""

    area = "pools"

    @writes("target.pair", PairTarget)
    def post(self, request: Request) -> Mapping[str, Any]:
        """Pair with the Nasweb at an address, by the code that it shows. For admins alone."""
        return {}


class OneTarget(View):
    """One of them."""

    area = "pools"

    @describe("get_target", {200: TargetAnswer})
    def get(self, request: Request, number: int) -> Response:
        """The target, with what its last probe found."""
        return Response(answer_of(_row(number), inventory_now()))

    @writes("target.change", ChangeTarget, by_path=("id",))
    def patch(self, request: Request, number: int) -> Mapping[str, Any]:
        """Another name or address."""
        return {"id": _row(number).pk}

    @writes("target.remove", RemoveTarget, by_path=("id",))
    def delete(self, request: Request, number: int) -> Mapping[str, Any]:
        """Remove it. The replicas that lie there stay."""
        return {"id": _row(number).pk}


class Trust(View):
    """By which keys another machine is known."""

    area = "pools"

    @writes("target.trust", TrustTarget, by_path=("id",))
    def post(self, request: Request, number: int) -> Mapping[str, Any]:
        """Trust host keys, which were compared with those of the other machine, and no others."""
        return {"id": _row(number).pk}


class Setup(View):
    """What it takes to set up another host."""

    area = "pools"

    @describe("get_target_setup", {200: TargetSetup, 202: StillAsking}, parameters=[PREFER])
    def get(self, request: Request, number: int) -> Response:
        """The host keys that it shows now, and the commands that its owner types there."""
        return answered(request, SETUP, {"id": _row(number).pk})


class ProbeTarget(View):
    """A connection to another machine."""

    area = "pools"

    @describe("probe_target", {200: TargetProbe, 202: StillAsking}, parameters=[PREFER])
    def get(self, request: Request, number: int) -> Response:
        """Connect now, and say whether replicas can be sent there."""
        return answered(request, PROBE, {"id": _row(number).pk})


def _row(number: int) -> TargetRow:
    return found(TargetRow.objects.filter(pk=number).first() if number < 1 << 63 else None, "target")


def answer_of(row: TargetRow, inventory: Inventory) -> TargetAnswer:
    """The row for people."""
    target = target_of(row)
    probe = None if row.found is None else shown(target, typed.convert(row.found, Probed))
    pools = {pool.guid for pool in inventory.pools}
    return TargetAnswer(
        id=target.id, name=target.name, kind=target.kind, dataset=target.dataset, rotating=target.rotating,
        present=target.pool_guid in pools if target.kind == "pool" else None,
        visit=_visit(row),
        host=target.host, port=target.port, user=target.user, machine=target.machine,
        fingerprints=tuple(fingerprint(key) for key in target.host_keys), shared=target.shared,
        replications=tuple(
            task.name for task in inventory.replicating.tasks if task.target_id == target.id
        ),
        made_at=row.made_at.isoformat(timespec="seconds"),
        probed_at=moment(row.probed_at),
        reached_at=moment(row.reached_at),
        ready=None if probe is None else probe.ready, words=None if probe is None else probe.words,
        zfs=None if probe is None else probe.zfs,
    )  # fmt: skip


def _visit(row: TargetRow) -> VisitAnswer | None:
    visit = visit_of(row)
    if visit is None:
        return None
    return VisitAnswer(stage=visit.stage, waits_for=visit.said, blocked=visit.blocked)


def moment(at: datetime | None) -> str | None:
    """As answers have it."""
    return None if at is None else at.isoformat(timespec="seconds")
