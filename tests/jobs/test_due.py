"""When a schedule's time comes: DST, missed times, and that none is run twice or lost."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from jobs.planning.findings import Findings
from jobs.schedules import cron
from jobs.schedules.due import GRACE, ScheduleState, Times, judge
from tests.fuzzing import tries

BERLIN = "Europe/Berlin"
ZONES = ("UTC", BERLIN, "America/New_York", "Australia/Lord_Howe", "Asia/Kolkata", "Pacific/Chatham")


def at(text: str, zone: str = "UTC") -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone)).astimezone(UTC)


def test_the_first_sunday_of_each_month() -> None:
    times = cron.first(3, "0 2 1-7 * sun", BERLIN, at("2026-11-21T12:00"))
    assert times == (
        at("2026-12-06T02:00", BERLIN), at("2027-01-03T02:00", BERLIN), at("2027-02-07T02:00", BERLIN),
    )  # fmt: skip


def test_a_time_that_the_clocks_jump_over_comes_an_hour_later() -> None:
    times = cron.first(3, "30 2 * * *", BERLIN, at("2027-03-27T12:00"))
    assert times == (
        at("2027-03-28T03:30", BERLIN), at("2027-03-29T02:30", BERLIN), at("2027-03-30T02:30", BERLIN),
    )  # fmt: skip
    assert times[0] == at("2027-03-28T01:30")


def test_a_time_that_comes_twice_counts_once() -> None:
    times = cron.first(2, "30 2 * * *", BERLIN, at("2026-10-24T12:00"))
    assert times == (at("2026-10-25T00:30"), at("2026-10-26T01:30"))


def test_an_hourly_schedule_keeps_its_order_where_clocks_jump() -> None:
    times = cron.first(4, "0 * * * *", BERLIN, at("2027-03-27T23:30"))
    assert times == (at("2027-03-28T00:00"), at("2027-03-28T01:00"), at("2027-03-28T02:00"),
                     at("2027-03-28T03:00"))  # fmt: skip


def test_the_29th_of_february_is_waited_for() -> None:
    assert cron.next_after("0 4 29 2 *", "UTC", at("2026-11-21T12:00")) == at("2028-02-29T04:00")


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("", "Give five fields"),
        ("0 2 * *", "Give five fields"),
        ("60 2 * * *", "minute: use numbers from 0 to 59"),
        ("0 24 * * *", "hour: use numbers from 0 to 23"),
        ("0 2 0 * *", "day of month: use numbers from 1 to 31"),
        ("0 2 1 13 *", "month: use numbers from 1 to 12"),
        ("0 2 1 * 7", "day of week: use numbers from 0 to 6"),
        ("0 2 1 * foo", "day of week: “foo” is not known; known are sun, mon"),
        ("0 2 1 sun *", "month: “sun” is not known"),
        ("x 2 1 * *", "minute: “x” is not a number"),
        ("*/0 2 1 * *", "minute: “*/0”"),
        ("0 2 30 2 *", "None of these months"),
        ("* 2 1 * *", "at most once an hour"),
        ("0,30 2 1 * *", "at most once an hour"),
        ("0 2 1 * *; reboot", "Give five fields"),
        ("0 2,, 1 * *", "hour: “” is not a number"),
    ],
)
def test_a_line_that_cannot_be_used_names_the_field(line: str, words: str) -> None:
    findings = Findings()
    cron.check(line, "UTC", findings)
    (finding,) = findings.all()
    assert (finding.code, finding.field) == ("bad-cron", "cron")
    assert words in finding.message


@pytest.mark.parametrize("zone", ["", "Europe", "Mars/Olympus", "../../etc/passwd", "/etc/localtime", "ä"])
def test_a_time_zone_that_is_none_is_named(zone: str) -> None:
    findings = Findings()
    cron.check("0 2 1 * *", zone, findings)
    assert [(finding.code, finding.field) for finding in findings.all()] == [("bad-time-zone", "time_zone")]


@given(st.text(alphabet="0123456789*/,- abcjnsu\n\t;$ä", max_size=30))
@tries(60)
def test_no_line_breaks_the_check(line: str) -> None:
    findings = Findings()
    cron.check(line, "UTC", findings)
    if not findings.all():
        cron.next_after(line, "UTC", at("2026-11-21T12:00"))


moments = st.integers(int(at("2025-01-01T00:00").timestamp()), int(at("2032-01-01T00:00").timestamp())).map(
    lambda seconds: datetime.fromtimestamp(seconds, UTC)
)
lines = st.one_of(
    st.builds("{} {} * * *".format, st.integers(0, 59), st.integers(0, 23)),
    st.builds("{} */{} * * *".format, st.integers(0, 59), st.integers(1, 6)),
    st.builds("{} {} {} * *".format, st.integers(0, 59), st.integers(0, 23), st.integers(1, 31)),
    st.builds("{} {} * * {}".format, st.integers(0, 59), st.integers(0, 4), st.integers(0, 6)),
)


@given(lines, st.sampled_from(ZONES), moments)
@tries(40)
def test_the_next_time_is_later_and_fits_the_clock_on_the_wall(line: str, zone: str, after: datetime) -> None:
    found = cron.next_after(line, zone, after)
    assert found > after
    wall = found.astimezone(ZoneInfo(zone))
    parsed = cron.parse(line)
    fits = wall.minute in parsed.minute and wall.hour in parsed.hour  # type: ignore[attr-defined]
    jumped = wall.utcoffset() != (found - timedelta(hours=3)).astimezone(ZoneInfo(zone)).utcoffset()
    assert fits or jumped


@given(lines, st.sampled_from(ZONES), moments)
@tries(40)
def test_nothing_lies_between_a_time_and_the_next(line: str, zone: str, after: datetime) -> None:
    first = cron.next_after(line, zone, after)
    assert cron.latest(line, zone, after, first) == first
    assert cron.latest(line, zone, after, first - timedelta(seconds=1)) is None
    middle = after + (first - after) / 2
    assume(middle < first)
    assert cron.next_after(line, zone, middle) == first


DAILY = Times(cron="0 2 * * *", time_zone=BERLIN, missed="run")
SKIPPING = Times(cron="0 2 * * *", time_zone=BERLIN, missed="skip")


def test_a_machine_that_slept_for_a_week_runs_once() -> None:
    memory = ScheduleState(handled=at("2026-11-01T12:00"))
    woken = at("2026-11-08T20:00")
    verdict = judge(DAILY, memory, woken)
    assert (verdict.act, verdict.slot) == ("run", at("2026-11-08T02:00", BERLIN))
    assert judge(DAILY, verdict.memory, woken + timedelta(minutes=1)).act == "nothing"


def test_a_missed_time_is_skipped_where_that_is_the_rule() -> None:
    memory = ScheduleState(handled=at("2026-11-01T12:00"))
    verdict = judge(SKIPPING, memory, at("2026-11-08T20:00"))
    assert verdict.act == "skip"
    assert judge(SKIPPING, verdict.memory, at("2026-11-09T01:00:30")).act == "run"


def test_a_time_that_had_to_wait_is_run_later_whatever_the_rule() -> None:
    seen = at("2026-11-09T01:00:30")
    waiting = judge(SKIPPING, ScheduleState(handled=at("2026-11-08T12:00")), seen, held_up=True)
    assert waiting.act == "wait"
    later = judge(SKIPPING, waiting.memory, seen + timedelta(hours=9))
    assert (later.act, later.slot) == ("run", at("2026-11-09T01:00"))
    assert later.memory.waiting is None


def test_a_clock_that_was_years_ahead_does_not_silence_a_schedule_for_years() -> None:
    verdict = judge(DAILY, ScheduleState(handled=at("2041-01-01T00:00")), at("2026-11-08T20:00"))
    assert verdict.memory.handled == at("2026-11-08T20:00")
    assert judge(DAILY, verdict.memory, at("2026-11-09T01:00:10")).act == "run"


tick_gaps = st.lists(st.integers(20, 590), min_size=1, max_size=60)  # seconds: awake, however busy


@given(
    st.sampled_from(["run", "skip"]), lines, st.sampled_from(ZONES), moments, tick_gaps,
    st.lists(st.booleans(), min_size=60, max_size=60),
)  # fmt: skip
@tries(60)
def test_awake_every_time_is_run_exactly_once(
    missed: str, line: str, zone: str, start: datetime, gaps: list[int], held: list[bool]
) -> None:
    times = Times(cron=line, time_zone=zone, missed=missed)  # type: ignore[arg-type]
    assert timedelta(seconds=max(gaps)) < GRACE
    # Begin shortly before a time, or nothing would ever happen.
    now = cron.next_after(line, zone, start) - timedelta(minutes=5)
    begun, memory, ran = now, ScheduleState(handled=now), []
    for gap, busy in zip(gaps, held, strict=False):
        now += timedelta(seconds=gap)
        verdict = judge(times, memory, now, held_up=busy)
        memory = verdict.memory
        assert verdict.act != "skip"
        if verdict.act == "run":
            ran.append(verdict.slot)
    last = judge(times, memory, now)
    if last.act == "run":
        ran.append(last.slot)
    assert len(set(ran)) == len(ran)
    due = [slot for slot in cron.first(30, line, zone, begun) if slot <= now]
    # One that had to wait until the next came is run together with it; without that, each is run.
    if any(held):
        assert set(ran) <= set(due)
        assert bool(ran) == bool(due) and ran[-1:] == due[-1:]
    else:
        assert ran == due


@given(st.sampled_from(["run", "skip"]), lines, st.sampled_from(ZONES), moments,
       st.lists(st.tuples(st.integers(1, 400_000), st.booleans()), max_size=25))  # fmt: skip
@tries(60)
def test_however_the_machine_sleeps_no_time_is_run_twice(
    missed: str, line: str, zone: str, start: datetime, steps: list[tuple[int, bool]]
) -> None:
    times = Times(cron=line, time_zone=zone, missed=missed)  # type: ignore[arg-type]
    now, memory, ran = start, ScheduleState(handled=start), []
    for seconds, busy in steps:
        now += timedelta(seconds=seconds)
        verdict = judge(times, memory, now, held_up=busy)
        assert verdict.memory.handled >= memory.handled
        memory = verdict.memory
        if verdict.act == "run":
            ran.append(verdict.slot)
            assert verdict.slot is not None and start < verdict.slot <= now
    assert ran == sorted(set(ran))  # type: ignore[type-var]
