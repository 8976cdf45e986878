"""Policies on schedule on a simulated machine: what is taken, made up for, deleted, and put off."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from rest_framework.test import APIClient

from host.commands.datasets.snapshots import ZfsDestroySnapshots, ZfsSnapshot
from host.commands.datasets.zfs import MARK, ZfsSet
from host.probe.datasets.snapshots import list_snapshots
from host.simulated import SimulatedHost
from jobs import routine
from jobs.models import AuditEvent, Claim, IndexedDataset, Job
from pools.models import PolicyRun
from pools.policies.rules.names import read_tag
from pools.policies.rules.policy import PROPERTY
from pools.policies.tick import tick
from tests.conftest import refresh


class Nas:
    """The simulated machine with a clock that tests set."""

    def __init__(self, host: SimulatedHost) -> None:
        self.host = host
        self.now = datetime.now(UTC).replace(microsecond=0)
        self.forward(days=-40)  # so that what a test lives through lies behind the inventory's own time
        # At twenty past nine, whenever the test runs: a minute more is never another hour, an hour never
        # another day.
        self.forward(hours=(9 - self.now.hour) % 24, minutes=(20 - self.now.minute) % 60)

    def policy(self, dataset: str, text: str) -> None:
        self.host.run(ZfsSet(name=dataset, properties={PROPERTY: text}))

    def forward(self, **span: int) -> None:
        step = timedelta(**span)
        self.now += step
        self.host.pass_time(step.total_seconds())

    def tick(self) -> None:
        refresh()
        tick(self.now, self.host)

    def tags(self, dataset: str = "tank") -> list[str]:
        return [snapshot.tag for snapshot in list_snapshots(self.host, dataset)]

    def tiers(self, dataset: str = "tank") -> list[str]:
        return [read[0] if (read := read_tag(tag)) else tag for tag in self.tags(dataset)]

    @property
    def guid(self) -> str:
        return str(self.host.machine().pools["tank"].guid)


@pytest.fixture
def nas(simulated: SimulatedHost, api: APIClient, tank: dict[str, Any]) -> Nas:
    for name in ("tank/a", "tank/a/b", "tank/c"):
        api.post("/api/v1/datasets/", {"name": name})
    return Nas(simulated)


def runs() -> list[Job]:
    return list(Job.objects.filter(operation="policy.run").order_by("pk"))


def test_the_first_is_taken_at_once_for_the_highest_tier_with_our_mark(nas: Nas) -> None:
    nas.policy("tank", "hourly=3 daily=2")
    nas.tick()
    (taken,) = list_snapshots(nas.host, "tank")
    assert (read_tag(taken.tag), taken.mark) == (("daily", nas.now), nas.guid)
    assert nas.tags("tank/a/b") == [taken.tag]


def test_one_command_takes_all_of_a_pool(nas: Nas) -> None:
    nas.policy("tank", "hourly=3")
    nas.policy("tank/c", "daily=3")
    nas.tick()
    (command,) = [argv for argv in nas.host.ran() if argv[:2] == ["zfs", "snapshot"]]
    assert command[2:4] == ["-o", f"{MARK}={nas.guid}"]
    assert [name.partition("@")[0] for name in command[4:]] == ["tank/c", "tank", "tank/a", "tank/a/b"]
    assert nas.tiers("tank/c") == ["daily"]


def test_nothing_is_taken_twice_for_the_same_moment(nas: Nas) -> None:
    nas.policy("tank/a", "hourly=3")
    nas.tick()
    nas.tick()
    nas.forward(seconds=1)
    nas.tick()
    assert len(runs()) == 1
    nas.forward(hours=1)
    nas.tick()
    assert nas.tiers("tank/a") == ["hourly", "hourly"]


def test_what_was_missed_is_made_up_for_once(nas: Nas) -> None:
    nas.policy("tank/a", "hourly=24 daily=7 weekly=4")
    nas.tick()
    nas.forward(days=3)
    nas.tick()
    assert nas.tiers("tank/a")[0] == "weekly"
    assert len(nas.tiers("tank/a")) == 2
    nas.forward(days=20)
    nas.tick()
    assert nas.tiers("tank/a")[2:] == ["weekly"]


def test_off_and_what_is_below_is_left_out(nas: Nas) -> None:
    nas.policy("tank", "daily=3")
    nas.policy("tank/a", "off")
    nas.tick()
    assert (nas.tiers("tank"), nas.tiers("tank/c")) == (["daily"], ["daily"])
    assert (nas.tags("tank/a"), nas.tags("tank/a/b")) == ([], [])


def test_a_text_that_cannot_be_read_does_nothing(nas: Nas) -> None:
    nas.policy("tank", "daily=3")
    nas.policy("tank/a", "dayly=3")
    nas.tick()
    assert (nas.tiers("tank"), nas.tags("tank/a")) == (["daily"], [])


def test_the_oldest_goes_once_it_is_one_too_many(nas: Nas) -> None:
    nas.policy("tank/a", "hourly=3")
    seen = []
    for _ in range(6):
        nas.tick()
        seen.append(nas.tags("tank/a")[-1])
        nas.forward(hours=1)
    # The third hour back is over a moment after the fourth is taken: it goes with the next.
    assert nas.tags("tank/a") in (seen[-3:], seen[-4:])


def test_what_others_took_is_left_alone(nas: Nas) -> None:
    theirs = "auto-hourly_2020-01-01T00.00.00Z"
    nas.host.run(ZfsSnapshot(names=(f"tank/a@{theirs}", "tank/c@by-hand")))
    nas.host.run(ZfsSnapshot(names=(f"tank/a/b@{theirs}",), properties={MARK: "99"}))
    nas.policy("tank", "hourly=1")
    for _ in range(5):
        nas.tick()
        nas.forward(hours=1)
    assert theirs in nas.tags("tank/a")
    assert theirs in nas.tags("tank/a/b")
    assert "by-hand" in nas.tags("tank/c")
    assert len(nas.tags("tank/c")) <= 3


def test_a_mark_that_was_inherited_does_not_make_one_ours(nas: Nas) -> None:
    theirs = "auto-hourly_2020-01-01T00.00.00Z"
    nas.host.run(ZfsSnapshot(names=(f"tank/a@{theirs}",)))
    nas.host.run(ZfsSet(name="tank/a", properties={MARK: nas.guid}))
    nas.policy("tank/a", "hourly=1")
    for _ in range(5):
        nas.tick()
        nas.forward(hours=1)
    assert theirs in nas.tags("tank/a")


def test_one_that_got_a_hold_a_moment_ago_stays_and_the_others_go(nas: Nas) -> None:
    nas.policy("tank/a", "hourly=1")
    nas.tick()
    first = nas.tags("tank/a")[0]
    nas.forward(hours=1)
    nas.tick()
    nas.forward(hours=1)
    refresh()
    nas.host.hold(f"tank/a@{first}")  # the index does not know
    for _ in range(3):
        nas.tick()
        nas.forward(hours=1)
    assert first in nas.tags("tank/a")
    assert len(nas.tags("tank/a")) == 3
    assert all(job.state == "succeeded" for job in runs())


def test_deleting_too_many_at_once_waits_for_a_person(nas: Nas, api: APIClient) -> None:
    nas.policy("tank/a", "hourly=200")
    for _ in range(30):
        nas.tick()
        nas.forward(hours=1)
    nas.policy("tank/a", "hourly=1")
    nas.tick()
    assert len(nas.tags("tank/a")) == 31
    waiting = PolicyRun.objects.get().waiting
    assert waiting == {"tank/a": 29, "tank/a/b": 29}
    refresh()
    shown = api.post("/api/v1/snapshot-policies/prune/", {"pool": "tank"})
    assert (shown.status_code, shown.json()["type"].rpartition("/")[2]) == (409, "confirmation-required")
    plan = shown.json()["plan"]
    done = api.post("/api/v1/snapshot-policies/prune/", {"pool": "tank", "digest": plan["digest"]})
    assert done.json()["state"] == "succeeded"
    assert len(nas.tags("tank/a")) <= 2


def test_nothing_is_deleted_while_the_pool_resilvers(nas: Nas) -> None:
    nas.policy("tank/a", "hourly=1")
    for _ in range(3):
        nas.tick()
        nas.forward(hours=1)
    before = set(nas.tags("tank/a"))
    nas.host.write("tank/a", 4 << 40)
    disk = nas.host.machine().present()[0].serial
    nas.host.pull(disk)
    refresh()
    nas.host.insert(disk)
    nas.tick()
    assert before < set(nas.tags("tank/a"))
    assert "resilvering" in PolicyRun.objects.get().said


def test_a_run_that_fails_is_remembered_and_not_tried_again_at_once(nas: Nas) -> None:
    nas.policy("tank/a", "hourly=3")
    nas.host.fail_next(ZfsSnapshot, stderr="cannot create snapshots : out of space\n")
    nas.tick()
    nas.forward(minutes=1)
    nas.tick()
    assert [job.state for job in runs()] == ["failed"]
    assert PolicyRun.objects.get().failing_since is not None
    nas.forward(minutes=15)
    nas.tick()
    nas.forward(minutes=1)
    nas.tick()
    assert [job.state for job in runs()] == ["failed", "succeeded"]
    assert PolicyRun.objects.get().failing_since is None
    assert nas.tiers("tank/a") == ["hourly"]


def test_what_failed_is_over_once_no_policy_acts(nas: Nas) -> None:
    nas.policy("tank/a", "hourly=3")
    nas.host.fail_next(ZfsSnapshot, stderr="cannot create snapshots : out of space\n")
    nas.tick()
    nas.forward(minutes=1)
    nas.tick()
    assert PolicyRun.objects.get().failing_since is not None
    nas.policy("tank/a", "off")
    nas.tick()
    assert PolicyRun.objects.get().failing_since is None


def test_nothing_is_destroyed_if_nothing_could_be_taken(nas: Nas) -> None:
    nas.policy("tank/a", "hourly=1")
    for _ in range(2):
        nas.tick()
        nas.forward(hours=1)
    before = nas.tags("tank/a")
    nas.host.fail_next(ZfsSnapshot, stderr="no\n")
    nas.forward(hours=3)
    nas.tick()
    assert nas.tags("tank/a") == before


def test_it_waits_while_a_job_holds_the_pool(nas: Nas) -> None:
    nas.policy("tank/a", "hourly=3")
    job = Job.objects.order_by("-pk")[0]
    claim = Claim.objects.create(resource="pool:tank", job=job)
    nas.tick()
    assert nas.tags("tank/a") == []
    assert PolicyRun.objects.get().said == f"Waits: job {job.pk} holds tank."
    claim.delete()
    nas.tick()
    assert nas.tiers("tank/a") == ["hourly"]


def test_a_clock_that_was_ahead_does_not_stop_policies(nas: Nas) -> None:
    nas.policy("tank/a", "hourly=3")
    nas.now += timedelta(days=4000)
    nas.tick()
    nas.now -= timedelta(days=4000)
    nas.tick()
    assert nas.tiers("tank/a") == ["hourly", "hourly"]
    nas.forward(minutes=1)
    nas.tick()
    nas.forward(minutes=1)
    nas.tick()
    assert nas.tiers("tank/a") == ["hourly", "hourly"]
    nas.forward(hours=1)
    nas.tick()
    assert nas.tiers("tank/a") == ["hourly", "hourly", "hourly"]


def test_routine_runs_leave_no_line_in_the_audit_log_and_are_forgotten(nas: Nas) -> None:
    nas.policy("tank/a", "hourly=1")
    nas.tick()
    assert not AuditEvent.objects.filter(subject__contains="policies").exists()
    for _ in range(3):
        nas.forward(hours=1)
        nas.tick()
    deleted = AuditEvent.objects.filter(action="policy.run")
    assert deleted.exists()
    count = len(runs())
    now = datetime.now(UTC)  # jobs end by the real clock
    assert routine.forget(now) == 0
    assert routine.forget(now + timedelta(days=9)) == count
    assert deleted.exists()


def test_a_whole_tree_is_destroyed_by_one_command(nas: Nas) -> None:
    nas.policy("tank", "hourly=1")
    for _ in range(4):
        nas.tick()
        nas.forward(hours=1)
    commands = [argv for argv in nas.host.ran() if argv[:2] == ["zfs", "destroy"]]
    assert commands
    assert all(argv[2] == "-r" and argv[3].startswith("tank@") for argv in commands)


def test_none_below_is_destroyed_that_its_own_policy_keeps(nas: Nas) -> None:
    nas.policy("tank", "hourly=1")
    nas.policy("tank/a", "hourly=9")
    for _ in range(5):
        nas.tick()
        nas.forward(hours=1)
    assert len(nas.tags("tank/a")) == 5
    assert len(nas.tags("tank")) <= 3


def test_snapshots_destroyed_meanwhile_do_not_fail_the_run(nas: Nas) -> None:
    nas.policy("tank/a", "hourly=1")
    for _ in range(2):
        nas.tick()
        nas.forward(hours=1)
    refresh()
    gone = nas.tags("tank/a")[0]
    nas.host.run(ZfsDestroySnapshots(dataset="tank/a", tags=(gone,)))
    nas.forward(hours=1)
    tick(nas.now, nas.host)
    assert runs()[-1].state == "succeeded"


def test_what_the_index_has_not_seen_yet_is_not_taken_again(nas: Nas) -> None:
    nas.policy("tank/a", "hourly=3")
    nas.tick()
    IndexedDataset.objects.all().delete()
    tick(nas.now, nas.host)
    nas.now += timedelta(minutes=1)
    tick(nas.now, nas.host)
    assert len(runs()) == 1
