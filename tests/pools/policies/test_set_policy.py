"""policy.set, policy.run and policy.prune as plans, and what a preview tells."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec
import pytest

from host.commands.datasets.snapshots import ZfsDestroySnapshots, ZfsSnapshot
from host.commands.datasets.zfs import MARK, ZfsInherit, ZfsSet
from host.inventory import Inventory, Scan
from jobs.plan import Refused
from pools.policies.preview import next_runs, preview
from pools.policies.prune import PrunePool
from pools.policies.prune import plan as plan_prune
from pools.policies.rules.batches import batches
from pools.policies.rules.policy import PROPERTY, parse
from pools.policies.run_policies import RunPolicies
from pools.policies.run_policies import plan as plan_run
from pools.policies.set_policy import SetPolicy, plan
from tests import made
from tests.pools.policies.cases import taken

GUID = made.pool().guid
NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)


def machine(*, days: int = 10, pool: dict[str, Any] | None = None) -> Inventory:
    snapshots = [
        taken("daily", NOON - timedelta(days=day), dataset=dataset, mark=GUID)
        for dataset in ("tank/a", "tank/a/b")
        for day in range(days)
    ]
    return made.inventory(
        pools=(made.pool(**(pool or {})),),
        datasets=(
            made.dataset("tank"),
            made.dataset("tank/a", **{PROPERTY: "daily=10"}),
            made.dataset("tank/a/b", **{PROPERTY: made.inherited("daily=10", "tank/a")}),
            made.dataset("tank/c"),
        ),
        snapshots=tuple(snapshots),
    )


def refused(request: Any, inventory: Inventory, make: Any = plan) -> set[tuple[str, str]]:
    with pytest.raises(Refused) as error:
        make(request, inventory)
    return {(finding.code, finding.field) for finding in error.value.findings if finding.level == "error"}


def test_a_larger_policy_is_set_and_destroys_nothing() -> None:
    made_plan = plan(SetPolicy(dataset="tank/a", policy=" daily=20  tz=UTC "), machine())
    (step,) = made_plan.steps
    assert step.commands == (ZfsSet(name="tank/a", properties={PROPERTY: "daily=20"}),)
    assert made_plan.destroys == ()
    said = {(finding.code, finding.message) for finding in made_plan.findings}
    assert ("child-changes", "tank/a/b: daily=10 → daily=20") in said


def test_an_edit_shows_and_deletes_each_snapshot_that_nothing_keeps_then() -> None:
    made_plan = plan(SetPolicy(dataset="tank/a", policy="daily=4"), machine())
    lost = [loss.snapshot for loss in made_plan.destroys]
    assert len(lost) == 2 * 5  # of ten, five are within four days; noon to noon
    oldest = f"tank/a@auto-daily_{NOON - timedelta(days=9):%Y-%m-%dT%H.%M.%SZ}"
    assert lost[0] == oldest
    commands = made_plan.steps[1].commands
    assert [(c.dataset, c.recursive) for c in commands if isinstance(c, ZfsDestroySnapshots)] == [
        ("tank/a", True)
    ]
    assert made_plan.confirm == "tank/a"


def test_to_follow_again_and_to_exclude() -> None:
    followed = plan(SetPolicy(dataset="tank/a", policy=None), machine())
    assert followed.steps[0].commands == (ZfsInherit(name="tank/a", property=PROPERTY),)
    assert {finding.code for finding in followed.findings} >= {"not-taken-any-more", "snapshots-stay"}
    assert followed.destroys == ()
    excluded = plan(SetPolicy(dataset="tank/a/b", policy="off"), machine())
    assert excluded.steps[0].commands == (ZfsSet(name="tank/a/b", properties={PROPERTY: "off"}),)


@pytest.mark.parametrize(
    ("request_", "faults"),
    [
        (SetPolicy(dataset="tank/x", policy="daily=3"), {("unknown-dataset", "dataset")}),
        (SetPolicy(dataset="tank/a", policy="dialy=3"), {("bad-policy", "policy")}),
        (SetPolicy(dataset="tank/a", policy="daily=10"), {("nothing-to-change", "policy")}),
        (SetPolicy(dataset="tank/c", policy=None), {("nothing-to-change", "policy")}),
    ],
)
def test_what_is_refused(request_: SetPolicy, faults: set[tuple[str, str]]) -> None:
    assert refused(request_, machine()) == faults


def test_a_smaller_policy_waits_for_the_resilver() -> None:
    scan = Scan(function="RESILVER", state="SCANNING", started="2026-11-21T11:00:00+00:00")
    busy = machine(pool={"scan": scan})
    assert refused(SetPolicy(dataset="tank/a", policy="daily=4"), busy) == {("resilvering", "policy")}
    assert plan(SetPolicy(dataset="tank/a", policy="daily=40"), busy).steps
    assert refused(PrunePool(pool="tank"), busy, plan_prune) >= {("resilvering", "pool")}


def test_a_run_is_two_steps_and_its_digest_depends_on_nothing_but_the_names() -> None:
    tag = "auto-daily_2026-11-21T12.00.00Z"
    old = "auto-daily_2026-11-01T12.00.00Z"
    request = RunPolicies(pool="tank", take={tag: ("tank/a", "tank/a/b")}, delete={"tank/a": (old,)})
    made_plan = plan_run(request, machine())
    take, delete = made_plan.steps
    assert take.commands == (
        ZfsSnapshot(names=(f"tank/a@{tag}", f"tank/a/b@{tag}"), properties={MARK: GUID}),
    )
    assert delete.commands == (ZfsDestroySnapshots(dataset="tank/a", tags=(old,)),)
    assert made_plan.digest == plan_run(request, machine(days=0)).digest


def test_more_names_than_fit_are_said_to_be_in_two_transactions() -> None:
    many = tuple(f"tank/{number:05}" for number in range(2500))
    inventory = msgspec.structs.replace(machine(), datasets=tuple(made.dataset(name) for name in many))
    tag = "auto-daily_2026-11-21T12.00.00Z"
    made_plan = plan_run(RunPolicies(pool="tank", take={tag: many}), inventory)
    assert [len(c.names) for c in made_plan.steps[0].commands if isinstance(c, ZfsSnapshot)] == [2000, 500]
    assert "in 2 transactions" in made_plan.steps[0].title
    longest = max(sum(len(word) + 9 for word in command.argv()) for command in made_plan.steps[0].commands)
    assert longest < 2 << 20


@pytest.mark.parametrize(
    ("request_", "faults"),
    [
        (RunPolicies(pool="pond"), {("unknown-pool", "pool")}),
        (RunPolicies(pool="tank"), {("nothing-to-do", "take")}),
        (RunPolicies(pool="tank", take={"mine": ("tank/a",)}), {("bad-name", "take")}),
        (RunPolicies(pool="tank", delete={"tank/a": ("mine",)}), {("bad-name", "delete")}),
        (
            RunPolicies(pool="tank", take={"auto-daily_2026-11-21T12.00.00Z": ("tank/x",)}),
            {("unknown-dataset", "take")},
        ),
        (
            RunPolicies(pool="tank", take={"auto-daily_2026-02-31T12.00.00Z": ("tank/a",)}),
            {("bad-name", "take")},
        ),
    ],
)
def test_a_run_takes_and_deletes_only_what_policies_name(request_: Any, faults: set[tuple[str, str]]) -> None:
    assert refused(request_, machine(), plan_run) == faults


def test_a_tree_is_destroyed_at_once_only_where_all_of_it_loses_the_name() -> None:
    datasets = ("tank", "tank/a", "tank/a/b", "tank/c")
    assert batches({"tank/a": {"x", "y"}, "tank/a/b": {"x"}}, datasets) == (
        ZfsDestroySnapshots(dataset="tank/a", tags=("x",), recursive=True),
        ZfsDestroySnapshots(dataset="tank/a", tags=("y",)),
    )
    # Where a dataset between has none of that name, each is told by itself.
    assert batches({"tank": {"x"}, "tank/a/b": {"x"}}, datasets) == (
        ZfsDestroySnapshots(dataset="tank", tags=("x",)),
        ZfsDestroySnapshots(dataset="tank/a/b", tags=("x",)),
    )
    many = batches({"tank/c": {f"{number}" * 50 for number in range(1200)}}, datasets)
    assert [len(command.tags) for command in many] == [500, 500, 200]


def test_the_calendar_of_a_year_from_now() -> None:
    policy = parse("hourly=24 daily=30 weekly=8 monthly=12 yearly=1")
    shown = preview(policy, None, made.inventory(), NOON)
    assert [len(one.marks) for one in (shown.now, shown.month, shown.year)] == [1, 55, 70]
    # The first one is taken at once, for the highest tier; the first of January is the other yearly one.
    assert shown.year.counts == {"yearly": 2, "monthly": 11, "weekly": 7, "daily": 26, "hourly": 24}
    assert shown.year.oldest == NOON
    assert shown.deletes == ()


def test_a_preview_of_an_edit_names_what_goes() -> None:
    shown = preview(parse("daily=4"), "tank/a", machine(), NOON)
    assert len(shown.deletes) == 5
    assert [mark.real for mark in shown.now.marks] == [True] * 5
    assert not any(mark.real for mark in shown.month.marks)


def test_the_next_runs_go_by_the_clocks_of_the_time_zone() -> None:
    policy = parse("daily=3 at=02:30 tz=Europe/Berlin")
    runs = next_runs(policy, datetime(2027, 3, 26, 12, tzinfo=UTC), 3)
    # On the 28th clocks are put forward from 02:00 to 03:00: 02:30 comes as 03:30, the night after as ever.
    assert [f"{moment:%d %H:%M}" for moment in runs] == ["27 01:30", "28 01:30", "29 00:30"]
