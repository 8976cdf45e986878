"""`snapshot-policies/`: which snapshots are taken and kept on schedule."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

import msgspec
from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request
from rest_framework.response import Response

from jobs.api import paging, query
from jobs.api.document import PAGING, describe
from jobs.api.operations import writes
from jobs.api.shapes import Moment
from jobs.api.views import View, found, inventory_now
from jobs.planning.findings import Findings
from jobs.planning.shape import decode
from pools.policies import index
from pools.policies.preview import preview
from pools.policies.prune import PrunePool
from pools.policies.rules.calendar import Calendar
from pools.policies.rules.effective import Origin
from pools.policies.rules.policy import BadPolicy, Policy, Tier, parse, text_of
from pools.policies.run_policies import RunPolicies
from pools.policies.set_policy import SetPolicy
from pools.policies.standing import Standing, standing_of, standings

_OWN = OpenApiParameter("own", bool, OpenApiParameter.QUERY, description="Only those with one of their own.")
_LONGEST = 1000


class PolicyAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """The policy of a dataset. `source` has it; `fault` says why its text cannot be read. `newest` is the
    newest snapshot that it took, `max_age_seconds` how old that may be."""

    dataset: str
    policy: str
    origin: Origin
    source: str | None
    active: bool
    fault: str
    keeps: dict[Tier, int]
    newest: Moment | None
    next_run: Moment | None
    max_age_seconds: int | None
    overdue: bool
    as_of: Moment


class PolicyPage(msgspec.Struct, frozen=True, kw_only=True):
    """Datasets that have a policy, in the order of their names."""

    results: tuple[PolicyAnswer, ...]
    next: str | None
    as_of: Moment


class PreviewPolicy(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A policy that is only thought of, for a dataset with its snapshots or for none."""

    policy: str
    dataset: str | None = None


class KeptAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """A snapshot that is there then. `exists`: it is there already."""

    moment: Moment
    tier: Tier | None
    why: str
    exists: bool


class CalendarAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """What is there at `at`, newest first; the first thousand."""

    at: Moment
    total: int
    by_tier: dict[Tier, int]
    oldest: Moment | None
    snapshots: tuple[KeptAnswer, ...]


class PolicyPreviewAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """What would be kept and deleted. `policy` is the text as it would be stored."""

    policy: str
    now: CalendarAnswer
    month: CalendarAnswer
    year: CalendarAnswer
    deletes: tuple[str, ...]
    next_runs: tuple[Moment, ...]


class Policies(View):
    """The policies of all datasets."""

    area = "pools"

    @describe("list_snapshot_policies", {200: PolicyPage}, parameters=[*PAGING, _OWN])
    def get(self, request: Request) -> Response:
        """A page of datasets with the policy that holds for each."""
        inventory = inventory_now()
        rows = standings(inventory, datetime.now(UTC))
        if query.flag(request, "own"):
            rows = tuple(row for row in rows if row.effective.source == row.effective.dataset)
        return paging.of_values(
            request, rows, key=lambda row: row.effective.dataset,
            show=lambda row: _answer(row, inventory.as_of), as_of=inventory.as_of,
        )  # fmt: skip

    @writes("policy.set", SetPolicy)
    def post(self, request: Request) -> Mapping[str, Any]:
        """Give a dataset a policy, or let it follow the one from above again."""
        return {}


class OnePolicy(View):
    """The policy of one dataset."""

    area = "pools"

    @describe("get_snapshot_policy", {200: PolicyAnswer})
    def get(self, request: Request, name: str) -> Response:
        """What holds for it; `origin` is none where nothing does."""
        inventory = inventory_now()
        dataset = found(inventory.dataset(name), "dataset")
        return Response(_answer(standing_of(dataset, inventory, datetime.now(UTC)), inventory.as_of))

    @writes("policy.set", SetPolicy, by_path=("dataset",), described_as="change_snapshot_policy")
    def patch(self, request: Request, name: str) -> Mapping[str, Any]:
        """Give it a policy; null drops its own."""
        return {"dataset": found(inventory_now().dataset(name), "dataset").name}

    @writes("policy.set", SetPolicy, by_path=("dataset", "policy"), described_as="delete_snapshot_policy")
    def delete(self, request: Request, name: str) -> Mapping[str, Any]:
        """Drop its own policy; the one from above holds again, or none."""
        return {"dataset": found(inventory_now().dataset(name), "dataset").name, "policy": None}


class PolicyPreview(View):
    """What a policy would keep."""

    area = "pools"
    write_scope = "pools:read"  # it computes and changes nothing

    @describe("preview_snapshot_policy", {200: PolicyPreviewAnswer}, request=PreviewPolicy)
    def post(self, request: Request) -> Response:
        """Calendars of now, of a month from now and of a year from now, and what would be deleted."""
        wanted = decode(PreviewPolicy, request.data)
        policy = _parsed(wanted.policy)
        inventory = inventory_now()
        if wanted.dataset is not None:
            inventory = index.known(found(inventory.dataset(wanted.dataset), "dataset").name, inventory)
        made = preview(policy, wanted.dataset, inventory, datetime.now(UTC))
        return Response(
            PolicyPreviewAnswer(
                policy=text_of(policy),
                now=_calendar(made.now),
                month=_calendar(made.month),
                year=_calendar(made.year),
                deletes=tuple(one.name for one in made.deletes[:_LONGEST]),
                next_runs=tuple(moment.isoformat() for moment in made.next_runs),
            )
        )


class Prune(View):
    """Deletes what policies keep no longer."""

    area = "pools"

    @writes("policy.prune", PrunePool)
    def post(self, request: Request) -> Mapping[str, Any]:
        """All at once, in one pool: for when a run would have deleted so many that it waits for a person."""
        return {}


class Run(View):
    """What the clock does."""

    area = "pools"

    @writes("policy.run", RunPolicies)
    def post(self, request: Request) -> Mapping[str, Any]:
        """Take and delete snapshots by name, as the clock does with what is due."""
        return {}


def _parsed(text: str) -> Policy:
    try:
        return parse(text.strip())
    except BadPolicy as bad:
        findings = Findings()
        for _, message in bad.faults:
            findings.error("bad-policy", "policy", message)
        findings.refuse_on_error()
        raise


def _answer(row: Standing, as_of: str) -> PolicyAnswer:
    one = row.effective
    policy = one.policy
    return PolicyAnswer(
        dataset=one.dataset,
        policy=one.text,
        origin=one.origin,
        source=one.source,
        active=one.acts,
        fault=one.fault,
        keeps={tier: policy.count(tier) for tier in policy.tiers} if policy else {},
        newest=row.newest.isoformat() if row.newest else None,
        next_run=row.next_run.isoformat() if row.next_run else None,
        max_age_seconds=None if row.limit is None else int(row.limit.total_seconds()),
        overdue=row.overdue,
        as_of=as_of,
    )


def _calendar(one: Calendar) -> CalendarAnswer:
    return CalendarAnswer(
        at=one.at.isoformat(),
        total=len(one.marks),
        by_tier=one.counts,
        oldest=one.oldest.isoformat() if one.oldest else None,
        snapshots=tuple(
            KeptAnswer(moment=mark.moment.isoformat(), tier=mark.tier, why=mark.why, exists=mark.real)
            for mark in one.marks[:_LONGEST]
        ),
    )
