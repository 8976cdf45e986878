"""What is sent and when: values in, values out."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any, get_args

import msgspec
import pytest

from alerts.channels import decide
from alerts.channels.decide import LastMessage, News, Rules, Seen, news, rebased, topic_of
from alerts.channels.quiet import Quiet
from alerts.incidents.cause import Kind

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)
NIGHT = Quiet(start="22:00", end="07:00", time_zone="Europe/Berlin")


def after(**span: float) -> datetime:
    return NOON + timedelta(**span)


def seen(number: int = 1, **changes: Any) -> Seen:
    values: dict[str, Any] = {"id": number, "kind": "disk-gone", "severity": "critical", "opened_at": NOON}
    return Seen(**(values | changes))


def sent(**changes: Any) -> dict[int, LastMessage]:
    values: dict[str, Any] = {"severity": "critical", "at": NOON}
    return {1: LastMessage(**(values | changes))}


def acts(found: tuple[News, ...]) -> list[tuple[int, str]]:
    return [(one.incident, one.act) for one in found]


def test_it_is_sent_once_after_a_settle_time() -> None:
    assert news([seen()], {}, Rules(), after(seconds=19)) == ()
    assert acts(news([seen()], {}, Rules(), after(seconds=20))) == [(1, "opened")]
    assert news([seen()], sent(), Rules(), after(hours=3)) == ()


def test_what_began_a_moment_ago_is_sent_along() -> None:
    four = [seen(n, opened_at=after(seconds=5 * n)) for n in range(4)]
    found = news(four, {}, Rules(), after(seconds=20))
    assert acts(found) == [(0, "opened"), (1, "opened"), (2, "opened"), (3, "opened")]


def test_a_disk_that_was_missing_for_seconds_is_sent_though_it_is_calm_again() -> None:
    assert acts(news([seen(calm=True)], {}, Rules(), after(seconds=30))) == [(1, "opened")]
    assert news([seen(closed_at=after(seconds=70))], {}, Rules(), after(seconds=80)) == ()


def test_it_is_sent_again_when_it_becomes_more_serious_and_not_when_less() -> None:
    warned = sent(severity="warning")
    assert acts(news([seen()], warned, Rules(), after(minutes=5))) == [(1, "worse")]
    assert news([seen(severity="warning")], sent(), Rules(), after(minutes=5)) == ()


def test_it_is_sent_again_when_it_takes_more_away() -> None:
    stopped = seen(kind="pool-suspended", impact=2)
    assert acts(news([stopped], sent(impact=1), Rules(), after(minutes=5))) == [(1, "worse")]
    assert news([stopped], sent(impact=2), Rules(), after(minutes=5)) == ()


def test_what_was_less_serious_for_an_hour_is_sent_when_it_is_serious_again() -> None:
    less = seen(severity="warning")
    assert news([less], sent(), Rules(), after(minutes=59)) == ()
    assert news([less], sent(), Rules(), after(hours=1)) == (News(incident=1, act="eased", silent=True),)
    assert acts(news([seen()], sent(severity="warning"), Rules(), after(hours=6))) == [(1, "worse")]


def test_more_errors_are_sent_once_with_their_count_after_an_hour() -> None:
    warned, many = sent(severity="warning", faults=400), seen(severity="warning", faults=1000)
    assert news([many], warned, Rules(), after(minutes=59)) == ()
    assert acts(news([many], warned, Rules(), after(hours=1))) == [(1, "more")]
    assert news([seen(severity="warning", faults=400)], warned, Rules(), after(hours=9)) == ()
    once = sent(severity="warning", faults=1000, more_sent=True)
    assert news([seen(severity="warning", faults=9000)], once, Rules(), after(days=9)) == ()
    for silent in (
        seen(faults=1000, severity="warning", **{name: True}) for name in ("calm", "acknowledged")
    ):
        assert news([silent], warned, Rules(), after(hours=1)) == ()
    assert news([many], warned, Rules(quiet=NIGHT), after(hours=10)) == ()


def test_it_is_reminded_of_once_a_day_while_it_is_serious_and_nobody_knows() -> None:
    assert news([seen()], sent(), Rules(), after(hours=23)) == ()
    assert acts(news([seen()], sent(), Rules(), after(hours=24))) == [(1, "reminder")]
    assert news([seen(acknowledged=True)], sent(), Rules(), after(hours=24)) == ()
    mild = sent(severity="warning")
    assert news([seen(severity="warning")], mild, Rules(), after(hours=24)) == ()


def test_the_end_is_sent_once_it_has_lasted() -> None:
    over = seen(closed_at=after(hours=1))
    assert news([over], sent(), Rules(), after(hours=1, minutes=4)) == ()
    assert acts(news([over], sent(), Rules(), after(hours=1, minutes=5))) == [(1, "over")]


def test_an_end_that_nobody_wants_or_that_another_incident_covers_is_only_remembered() -> None:
    over = seen(closed_at=after(hours=1))
    assert news([over], sent(), Rules(tells_end=False), after(hours=1)) == (
        News(incident=1, act="over", silent=True),
    )
    absorbed = seen(closed_at=after(hours=1), absorbed=True)
    assert news([absorbed], sent(), Rules(), after(hours=1)) == (News(incident=1, act="over", silent=True),)


def test_a_loose_cable_is_sent_at_most_once_an_hour() -> None:
    ended = sent(over=True, at=after(minutes=10))
    assert news([seen()], ended, Rules(), after(minutes=30)) == ()
    assert acts(news([seen()], ended, Rules(), after(minutes=70))) == [(1, "back")]


def test_a_cable_that_swings_for_an_hour_makes_one_message_and_one_end() -> None:
    """Two minutes missing, two minutes well: the incident closes and is opened again all the time."""
    known: dict[int, LastMessage] = {}
    made: list[str] = []
    for second in range(0, 4000, 5):
        now = after(seconds=second)
        start, phase = divmod(min(second, 3599), 240)
        closed = after(seconds=240 * start + 180) if phase >= 180 else None
        incident = seen(calm=phase >= 120, closed_at=closed)
        for one in news([incident], known, Rules(), now):
            made.append(one.act)
            known[1] = LastMessage(severity="critical", at=now, over=one.act == "over")
    assert made == ["opened", "over"]


@pytest.mark.parametrize(
    ("incident", "wanted"),
    [
        (seen(severity="warning", kind="disk-errors"), False),
        (seen(severity="critical"), True),
        (seen(severity="critical", kind="schedule-failed"), False),
        (seen(acknowledged=True), False),
    ],
)
def test_only_what_the_channel_wants_is_sent(incident: Seen, wanted: bool) -> None:
    rules = Rules(lowest="critical", topics=frozenset({"disks", "storage"}))
    assert bool(news([incident], {}, rules, after(minutes=1))) is wanted


@pytest.mark.parametrize("kind", ["pool-degraded", "data-damaged", "array-degraded", "array-stopped"])
def test_who_is_notified_of_storage_is_notified_of_arrays_too(kind: str) -> None:
    assert topic_of(kind) == "storage"


def test_each_kind_of_incident_has_a_topic_of_its_own_choice() -> None:
    assert set(decide._TOPIC_OF) == set(get_args(Kind))
    assert (topic_of("backup-old"), topic_of("repository-damaged")) == ("schedules", "storage")


def test_quiet_hours_hold_back_all_but_what_is_serious() -> None:
    rules = Rules(quiet=NIGHT, lowest="info")
    late = datetime(2026, 11, 21, 23, tzinfo=UTC)  # midnight in Berlin
    morning = datetime(2026, 11, 22, 6, tzinfo=UTC)  # seven there
    begun = late - timedelta(minutes=5)
    assert news([seen(severity="warning", opened_at=begun)], {}, rules, late) == ()
    assert acts(news([seen(severity="warning", opened_at=begun)], {}, rules, morning)) == [(1, "opened")]
    assert acts(news([seen(opened_at=begun)], {}, rules, late)) == [(1, "opened")]
    over = seen(closed_at=begun)
    assert news([over], sent(), rules, late) == ()
    assert acts(news([over], sent(), rules, morning)) == [(1, "over")]
    assert news([seen()], sent(at=late - timedelta(days=2)), rules, late) == ()


@pytest.mark.parametrize(
    ("clock", "quiet"),
    [("21:59", False), ("22:00", True), ("23:59", True), ("06:59", True), ("07:00", False)],
)
def test_quiet_hours_reach_over_midnight_and_go_by_the_zone(clock: str, quiet: bool) -> None:
    there = datetime.fromisoformat(f"2026-07-01T{clock}:00+02:00")  # summer in Berlin
    assert NIGHT.holds(there) is quiet


def test_too_many_messages_wait_and_are_sent_together() -> None:
    just_now = Rules(recent=(after(minutes=59),))
    assert news([seen()], {}, just_now, after(minutes=59, seconds=30)) == ()
    assert news([seen()], {}, just_now, after(minutes=60)) != ()
    many = Rules(recent=tuple(after(minutes=50 + 2 * n) for n in range(5)))
    assert news([seen(), seen(2)], {}, many, after(minutes=59, seconds=59)) == ()
    assert len(news([seen(), seen(2)], {}, many, after(minutes=60))) == 2


def test_a_thousand_errors_are_one_message() -> None:
    incident = seen(kind="disk-errors", severity="warning")
    known: dict[int, LastMessage] = {}
    made = 0
    for second in range(0, 7200, 2):
        for one in news([incident], known, Rules(), after(seconds=second)):
            made += 1
            known[1] = LastMessage(severity="warning", at=after(seconds=second), over=one.act == "over")
    assert made == 1


@pytest.mark.parametrize("hours", [6, 24, 168])
def test_reminders_come_once_in_each_interval_and_end_with_the_acknowledgement(hours: int) -> None:
    rules = Rules(remind_every=timedelta(hours=hours))
    known = sent()
    reminded: list[float] = []
    for hour in range(1, 3 * hours + 2):
        for one in news([seen()], known, rules, after(hours=hour)):
            reminded.append(hour)
            known = sent(at=after(hours=hour))
            assert one.act == "reminder"
    assert reminded == [hours, 2 * hours, 3 * hours]
    assert news([seen(acknowledged=True)], known, rules, after(days=60)) == ()
    assert news([seen()], known, Rules(remind_every=None), after(days=60)) == ()


def test_what_began_and_ended_in_quiet_hours_is_said_once_they_are_over() -> None:
    rules = Rules(quiet=NIGHT, lowest="warning", since=NOON - timedelta(days=3))
    late = datetime(2026, 11, 21, 23, tzinfo=UTC)  # midnight in Berlin
    morning = datetime(2026, 11, 22, 6, tzinfo=UTC)
    night: dict[str, Any] = {"severity": "warning", "opened_at": late, "closed_at": late + timedelta(hours=1)}
    assert news([seen(**night)], {}, rules, late + timedelta(hours=2)) == ()
    held = (News(incident=1, act="passed", held=True),)
    assert news([seen(**night)], {}, rules, morning) == held
    day: dict[str, Any] = {"opened_at": late - timedelta(hours=9), "closed_at": late - timedelta(hours=8)}
    others: list[dict[str, Any]] = [{"absorbed": True}, {"acknowledged": True}, {"severity": "info"}, day]
    for changes in others:
        assert news([seen(**(night | changes))], {}, rules, morning) == ()
    assert news([seen(**night)], {}, rules, morning + timedelta(days=1)) == ()
    younger = msgspec.structs.replace(rules, since=morning)
    assert news([seen(**night)], {}, younger, morning) == ()


def test_what_came_back_and_ended_in_quiet_hours_is_said_once() -> None:
    rules = Rules(quiet=NIGHT, since=NOON)
    late = datetime(2026, 11, 21, 23, tzinfo=UTC)
    morning = datetime(2026, 11, 22, 6, tzinfo=UTC)
    again = seen(severity="warning", closed_at=late)
    known = sent(severity="warning", over=True, at=late - timedelta(hours=5))
    assert acts(news([again], known, rules, morning)) == [(1, "passed")]
    assert news([again], sent(severity="warning", over=True, at=morning), rules, morning) == ()
    # Ended in the future: the clock was set back, and it is not said again and again.
    back = sent(severity="warning", over=True, at=late - timedelta(hours=14))
    assert news([again], back, rules, late - timedelta(hours=13)) == ()


def test_all_that_quiet_hours_held_back_is_one_message() -> None:
    rules = Rules(quiet=NIGHT, since=NOON)
    late = datetime(2026, 11, 21, 23, tzinfo=UTC)
    many = [seen(n, severity="warning", opened_at=late + timedelta(minutes=n)) for n in range(4)]
    many.append(seen(4, severity="warning", opened_at=late, closed_at=late + timedelta(hours=1)))
    found = news(many, {}, rules, datetime(2026, 11, 22, 6, tzinfo=UTC))
    assert acts(found) == [(0, "opened"), (1, "opened"), (2, "opened"), (3, "opened"), (4, "passed")]
    assert all(one.held for one in found)


def test_a_clock_that_was_set_back_holds_nothing_back() -> None:
    yesterday = after(days=-1)
    assert acts(news([seen()], {}, Rules(), yesterday)) == [(1, "opened")]
    over = seen(closed_at=after(minutes=1))
    assert acts(news([over], sent(at=yesterday), Rules(), yesterday)) == [(1, "over")]
    assert (rebased(NOON, yesterday), rebased(yesterday, NOON)) == (yesterday, yesterday)
