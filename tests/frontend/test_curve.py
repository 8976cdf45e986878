"""Curves that the server draws, and SMART in words."""

from __future__ import annotations

from frontend.curve import HEIGHT, WIDTH, sparkline, throughput
from frontend.disks import smart_view
from frontend.units import rate, worn
from host.inventory import SelfTest, SmartReading, Throughput


def test_a_sparkline_goes_from_edge_to_edge_and_higher_is_up() -> None:
    curve = sparkline([0, 60, 120], [30, 40, 35])
    assert curve is not None
    assert curve.path == f"M0.0 {HEIGHT - 4:.1f}L300.0 4.0L{WIDTH:.1f} 60.0"
    assert (curve.least, curve.most, curve.latest) == (30, 40, 35)


def test_where_nothing_was_measured_the_line_is_broken() -> None:
    curve = sparkline([0, 60, 120, 180, 3600, 3660], [30, 31, 30, 31, 30, 31])
    assert curve is not None
    assert curve.path.count("M") == 2
    unknown = sparkline([0, 60, 120], [30, None, 31])
    assert unknown is not None
    assert unknown.path.count("L") == 1


def test_a_steady_value_is_a_line_in_the_middle_and_one_point_is_none() -> None:
    steady = sparkline([0, 60], [30, 30])
    assert steady is not None
    assert steady.path == f"M0.0 60.0L{WIDTH:.1f} 60.0"
    assert sparkline([0], [30]) is None
    assert sparkline([], []) is None


def test_a_pass_that_runs_is_drawn_as_far_as_it_came() -> None:
    points = [Throughput(offset_bytes=n, bytes_per_second=100 - n) for n in (0, 25, 50)]
    curve = throughput(points, size_bytes=100, fastest=100)
    assert curve is not None
    assert curve.path.startswith("M0.0 4.0L150.0")
    assert curve.path.split("L")[-1].startswith("300.0 ")
    assert (curve.most, curve.least) == (100, 50)
    assert throughput([], size_bytes=100, fastest=100) is None


def test_what_a_disk_does_not_report_is_left_out_and_nought_is_shown() -> None:
    reading = SmartReading(at="", power_on_hours=30_000, pending_sectors=0, wear_percent=103)
    assert [(one.name, one.value, one.share) for one in smart_view.life(reading)] == [
        ("Power-on time", "3.4 y", None), ("Wear", "103 %", 100),
    ]  # fmt: skip
    assert [(one.name, one.value) for one in smart_view.counters(reading)] == [
        ("Current pending sectors", "0")
    ]
    assert (smart_view.life(SmartReading(at="")), smart_view.counters(SmartReading(at=""))) == ((), ())


def test_a_counter_says_how_it_moved_since_the_oldest_reading() -> None:
    earlier = [
        SmartReading(at=f"2026-11-{day}T12:00:00Z", crc_errors=7, pending_sectors=count)
        for day, count in (("15", 0), ("18", 2))
    ]
    now = SmartReading(at="2026-11-21T12:00:00Z", crc_errors=7, pending_sectors=8, error_count=3)
    pending, crc, log = smart_view.counters(now, earlier)
    assert (pending.change, pending.grew) == ("+8 in 6 days", True)
    assert pending.curve is not None
    assert (pending.curve.least, pending.curve.most) == (0, 8)
    assert (crc.change, crc.grew, crc.curve) == ("no change in 6 days", False, None)
    assert (log.change, log.curve) == ("", None)  # no reading before this one had it


def test_the_log_says_how_long_ago_in_power_on_hours() -> None:
    tests = (
        SelfTest(kind="long", result="failed", words="read failure", at_hours=900, first_error_lba=12_345),
        SelfTest(kind="short", result="passed", words="ok", at_hours=2000),
    )
    rows = smart_view.test_rows(SmartReading(at="", power_on_hours=1000, tests=tests))
    assert rows[0].when == "at 900\u00a0h, 4 d ago in power-on time".replace("\u00a0h", " h")
    assert rows[0].words == "read failure; first error at sector 12\u00a0345"
    assert (rows[0].state.tone, rows[1].state.tone) == ("bad", "good")
    assert rows[1].when == "at 2\u00a0000 h"  # beyond now: the counter wrapped, so no age is claimed


def test_a_test_takes_what_the_disk_says() -> None:
    short, long = smart_view.test_choices(SmartReading(at="", short_test_minutes=2, long_test_minutes=395))
    assert (short.takes, long.takes) == ("about 2 min", "about 7 h")
    assert smart_view.test_choices(SmartReading(at=""))[1].takes == "duration unknown"


def test_speeds_and_hours_in_one_unit() -> None:
    assert [rate(0), rate(400_000), rate(185_000_000)] == ["0 B/s", "400 KB/s", "185 MB/s"]
    assert [worn(5), worn(72), worn(8766), worn(50_000)] == ["5 h", "3 d", "1.0 y", "5.7 y"]
