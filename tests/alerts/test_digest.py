"""Digests and "still alive": when they are due, what they say, and that each is sent once."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from alerts import tasks
from alerts.channels.models import Channel, Delivery
from alerts.channels.requests import ChangeChannel
from alerts.channels.stored import change, wanted_change
from alerts.channels.words import Sender
from alerts.digest import queueing
from alerts.digest.content import Digest, IncidentLine, JobLine, PoolLine, gather_digest
from alerts.digest.due import Time, is_due
from alerts.digest.words import alive_message, digest_message
from alerts.doctor import space
from alerts.fullness import space_of
from alerts.models import Incident
from host.simulated import SimulatedHost
from jobs import cache, series
from jobs.models import AuditEvent, Job
from jobs.rights import Clockwork, Forbidden
from tests.alerts.channels.conftest import ADA, Make, make_channel
from tests.conftest import refresh

__all__ = ["make_channel"]
SUNDAY = datetime(2026, 11, 22, 7, tzinfo=UTC)  # eight in Berlin
SENDER = Sender(machine="nas", address="https://nas.local", time_zone="Europe/Berlin")


def at(every: Any = "daily", **changes: str) -> Time:
    return Time(
        **({"every": every, "at": "08:00", "weekday": "sunday", "time_zone": "Europe/Berlin"} | changes)
    )


def hours(count: float) -> datetime:
    return SUNDAY + timedelta(hours=count)


@pytest.mark.parametrize(
    ("time", "last", "now", "due"),
    [
        (at(), hours(-24), hours(-0.1), False), (at(), hours(-24), hours(0), True),
        (at(), hours(0), hours(23), False), (at(), hours(-100), hours(5), True),
        (at("weekly"), hours(-1), hours(0), True), (at("weekly"), hours(0), hours(6 * 24), False),
        (at("weekly", weekday="monday"), hours(-1), hours(0), False),
        (at("monthly"), hours(0), hours(8 * 24), False), (at("monthly"), hours(0), hours(9 * 24), True),
        (at("monthly"), hours(-400 * 24), hours(0), True),
        (at(), hours(24), hours(0.1), False), (at(), hours(24), hours(24), False),
    ],
)  # fmt: skip
def test_it_is_due_at_its_time_in_its_zone(time: Time, last: datetime, now: datetime, due: bool) -> None:
    assert is_due(time, last, now) is due


def test_a_time_that_clocks_jump_over_comes_all_the_same_and_one_that_comes_twice_once() -> None:
    spring = datetime(2026, 3, 29, 0, tzinfo=UTC)
    assert is_due(at(at="02:30"), spring, spring + timedelta(hours=3))
    autumn = datetime(2026, 10, 24, 23, tzinfo=UTC)
    sent_at = autumn + timedelta(hours=1.5)
    assert is_due(at(at="02:30"), autumn, sent_at)
    assert not is_due(at(at="02:30"), sent_at, autumn + timedelta(hours=5))


def test_what_a_digest_says() -> None:
    line = IncidentLine(title="tank is degraded", severity="critical", opened_at=hours(-3))
    found = Digest(
        since=hours(-24), until=hours(0), opened=(line,), still_open=(line,),
        closed=(IncidentLine(title="Bay A3: errors", severity="warning", opened_at=hours(-30),
                             closed_at=hours(-5)),),
        findings={"warning": ("tank was last scrubbed 40 days ago",), "advice": ("a", "b")},
        pools=(PoolLine(name="tank", used_bytes=3 << 40, available_bytes=1 << 40, change_bytes=5 << 30,
                        last_scrub=hours(-72)),
               PoolLine(name="bare", used_bytes=None, available_bytes=None, change_bytes=None,
                        last_scrub=None)),
        failed=(JobLine(title="Scrub tank", at=hours(-2), said="The pool is suspended."),),
    )  # fmt: skip
    made = digest_message(found, "daily", SENDER)
    assert made.subject == "[nas] Daily digest: 1 alert is open"
    assert made.text.split("\n") == [
        "From 2026-11-21 08:00 CET to 2026-11-22 08:00 CET.", "",
        "Alerts:", "- 1 opened, 1 resolved, 1 open now",
        "- tank is degraded (critical, since 2026-11-22 05:00 CET)",
        "- Resolved: Bay A3: errors (from 2026-11-21 02:00 CET until 2026-11-22 03:00 CET)", "",
        "Pools:", "- tank: 75 % full, 1 TiB free, 5 GiB more than before; last scrub 3 days ago",
        "- bare: how full it is is not known; no scrub is known", "",
        "Doctor:", "- 1 warning: tank was last scrubbed 40 days ago", "- 2 pieces of advice: a; b", "",
        "Scheduled jobs that failed:", "- Scrub tank, 2026-11-22 06:00 CET: The pool is suspended.", "",
        "Details in the console: https://nas.local/",
    ]  # fmt: skip


def test_a_quiet_day_is_short() -> None:
    made = digest_message(Digest(since=hours(-24), until=hours(0), findings={}), "weekly", SENDER)
    assert made.subject == "[nas] Weekly digest: no alert is open"
    assert "Alerts: none.\n\nPools: none.\n\nDoctor: none.\n\nScheduled jobs that failed: none." in made.text


def test_alive_says_that_all_is_well_or_what_is_not() -> None:
    well = alive_message((), hours(-0.01), hours(0), SENDER)
    assert well.subject == "[nas] Everything is as it should be"
    ill = alive_message(("tank is degraded", "Bay A3: errors"), hours(-0.01), hours(0), SENDER)
    assert (ill.subject, "- tank is degraded\n" in ill.text) == ("[nas] 2 alerts are open", True)
    for probed_at in (None, hours(-1)):
        stale = alive_message((), probed_at, hours(0), SENDER)
        assert stale.subject == "[nas] The machine is not being probed"


def sent() -> list[str]:
    return list(Delivery.objects.order_by("pk").values_list("about", flat=True))


def test_each_is_queued_once_at_its_time(make_channel: Make) -> None:
    make_channel(digest="daily", alive="weekly", regular_on="sunday", time_zone="Europe/Berlin")
    queueing.queue(hours(-2))
    made = [queueing.queue(hours(-1) + timedelta(minutes=10 * step)) for step in range(12)]
    assert (sum(made), made[6], sorted(sent())) == (2, 2, ["alive", "digest"])
    assert [queueing.queue(hours(hour)) for hour in (2, 23, 24, 25)] == [0, 0, 1, 0]
    Delivery.objects.update(state="sent")
    assert queueing.queue(hours(24 * 40)) == 2
    assert Delivery.objects.count() == 2  # older ones are forgotten


def test_the_health_report_comes_monthly(simulated: SimulatedHost, make_channel: Make) -> None:
    refresh()
    make_channel(report="monthly", regular_at="07:00")
    first = datetime(2026, 12, 1, 7, tzinfo=UTC)
    queueing.queue(first - timedelta(days=9))
    assert [queueing.queue(first + timedelta(minutes=minutes)) for minutes in (-1, 0, 1)] == [0, 1, 0]
    made = Delivery.objects.get()
    assert (made.about, made.test) == ("report", False)
    assert made.subject.startswith("[nas] Health report of ")


def test_only_who_may_read_all_of_the_report_has_it_sent(make_channel: Make) -> None:
    row, ben = make_channel(), Clockwork("ben", "alerts:read", "alerts:write")
    with pytest.raises(Forbidden, match="system:read"):
        wanted_change(ChangeChannel(report="weekly"), row, ben)
    row = change(row, wanted_change(ChangeChannel(report="weekly"), row, ADA), "ada")
    assert wanted_change(ChangeChannel(name="x"), row, ben).report == "weekly"
    with pytest.raises(Forbidden, match="system:read"):
        wanted_change(ChangeChannel(fields={"url": "http://192.168.1.9/"}), row, ben)


def test_a_machine_that_slept_and_a_clock_that_jumps_make_no_flood(make_channel: Make) -> None:
    make_channel(digest="daily", time_zone="Europe/Berlin")
    queueing.queue(hours(-30))
    assert [queueing.queue(hours(hour)) for hour in (240, 241)] == [1, 0]  # off for days
    assert [queueing.queue(hours(hour)) for hour in (216, 217, 239, 240, 241)] == [0, 0, 0, 1, 0]  # set back


def test_quiet_hours_hold_it_and_a_change_starts_anew(make_channel: Make) -> None:
    row = make_channel(digest="daily", quiet_from="22:00", quiet_until="09:00", time_zone="Europe/Berlin")
    queueing.queue(hours(-2))
    assert [queueing.queue(hours(hour)) for hour in (0, 0.9, 1, 2)] == [0, 0, 1, 0]
    row.refresh_from_db()
    assert row.digest_at == hours(1)
    asked = ChangeChannel(regular_at="10:00")
    changed = change(row, wanted_change(asked, row, ADA), "admin")
    assert changed.digest_at is None
    assert change(changed, wanted_change(ChangeChannel(name="x"), changed, ADA), "admin").name == "x"
    Channel.objects.update(enabled=False)
    assert queueing.queue(hours(48)) == 0


def test_one_that_cannot_be_made_is_said_once(make_channel: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: Any) -> Any:
        raise RuntimeError("nothing works")

    make_channel(digest="daily", time_zone="Europe/Berlin")
    queueing.queue(hours(-2))
    monkeypatch.setattr(queueing, "message_of", broken)
    assert [queueing.queue(hours(hour)) for hour in (0, 0.1, 1)] == [1, 0, 0]
    assert Delivery.objects.get().subject == "[nas] The digest could not be made"


def test_two_workers_queue_one(make_channel: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    make_channel(digest="daily", time_zone="Europe/Berlin")
    queueing.queue(hours(-2))
    whole = queueing.message_of
    once: list[int] = []

    def meanwhile(row: Channel, about: Any, now: datetime) -> Any:
        if not once:
            once.append(1)
            assert queueing.queue(now) == 1
        return whole(row, about, now)

    monkeypatch.setattr(queueing, "message_of", meanwhile)
    assert (queueing.queue(hours(0)), sent()) == (0, ["digest"])


def incident(title: str, kind: str = "disk-gone", severity: str = "critical", **times: Any) -> None:
    moments = {"opened_at": hours(-3), "updated_at": hours(-3)} | times
    Incident.objects.create(key=title, kind=kind, severity=severity, title=title, cause={}, **moments)


def job(submitted_by: str, state: str, ended: datetime) -> None:
    Job.objects.create(
        operation="pool.scrub", request={"name": "tank", "action": "start"}, plan={}, digest="", state=state,
        submitted_by=submitted_by, submitted_at=ended, finished_at=ended, error={"detail": "It broke."},
    )  # fmt: skip


def test_what_is_gathered(simulated: SimulatedHost, make_channel: Make, tank: object) -> None:
    row = make_channel(topics=("disks",), lowest="warning")
    incident("open")
    incident("older", opened_at=hours(-50), closed_at=hours(-1))
    incident("long over", opened_at=hours(-90), closed_at=hours(-80))
    incident("of storage", kind="pool-degraded")
    incident("for information", severity="info")
    job("schedule (anna)", "failed", hours(-1))
    job("policies", "failed", hours(-40))
    job("anna", "failed", hours(-1))
    job("schedule", "succeeded", hours(-1))
    found = gather_digest(row, hours(-24), hours(0))
    assert [[one.title for one in lines] for lines in (found.opened, found.closed, found.still_open)] == [
        ["open"], ["older"], ["open"],
    ]  # fmt: skip
    assert [(one.at, one.said) for one in found.failed] == [(hours(-1), "It broke.")]
    assert found.findings
    (pool,) = [one for one in found.pools if one.name == "tank"]
    assert pool.used_bytes is not None


def used_now() -> tuple[str, int, datetime]:
    """The guid of the pool tank, how many bytes of it are used, and when that was probed."""
    inventory = cache.current()
    assert inventory is not None
    pool = inventory.pool("tank")
    assert pool is not None
    used, _ = space_of(pool, inventory) or (0, 0)
    return pool.guid, used, datetime.fromisoformat(inventory.as_of)


def test_the_change_of_a_pool_is_that_since_the_last_digest(
    simulated: SimulatedHost, make_channel: Make, tank: object
) -> None:
    guid, used, now = used_now()
    past = now - timedelta(hours=20)
    series.record([series.Point(f"{space.SERIES}:{guid}", int(past.timestamp()), used - 4096.0)])
    found = gather_digest(make_channel(), now - timedelta(hours=24), now)
    (line,) = [one for one in found.pools if one.name == "tank"]
    assert line.change_bytes == 4096


@pytest.mark.parametrize(("grown", "said"), [(0, 0), (40 << 20, 0), (1 << 30, 1 << 30)])
def test_what_may_be_rounding_is_no_change(
    simulated: SimulatedHost, make_channel: Make, tank: object, grown: int, said: int
) -> None:
    """What was used days ago is kept to 1 in 30 000: of 3 TiB that is 100 MiB."""
    simulated.write("tank", 3 << 40)
    refresh()
    guid, used, now = used_now()
    past = now - timedelta(days=6)
    series.record([series.Point(f"{space.SERIES}:{guid}", int(past.timestamp()), used - grown)])
    found = gather_digest(make_channel(), now - timedelta(days=7), now)
    (line,) = [one for one in found.pools if one.name == "tank"]
    assert line.change_bytes == pytest.approx(said, abs=100 << 20 if said else 0)


@pytest.mark.parametrize("about", ["digest", "alive"])
def test_it_can_be_sent_at_once_and_comes_at_its_time_all_the_same(
    simulated: SimulatedHost, make_channel: Make, about: Any
) -> None:
    row = make_channel(digest="daily")
    made = queueing.send_now(row, about, "anna")
    made.refresh_from_db()
    row.refresh_from_db()
    assert (made.about, made.test, made.tries, row.digest_at) == (about, True, 1, None)
    tasks.prepare_messages()
    row.refresh_from_db()
    assert row.digest_at is not None
    event = AuditEvent.objects.filter(action="channel.send").get()
    assert (event.actor, event.detail["about"]) == ("anna", about)
