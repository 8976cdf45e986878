"""How far, and how long: the kernel's figures and a range that holds."""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from alerts.live.progress import estimate, under_way
from frontend.jobs.progress import progress_views
from host.inventory import Expansion, Filling, Removal, Scan, Vdev
from host.probe.pools import progress
from tests import made
from tests.alerts.cases import AT

NOON = datetime.fromisoformat(AT)
GB = 10**9


def ago(seconds: float) -> str:
    return (NOON - timedelta(seconds=seconds)).isoformat()


def scrub(**changes: object) -> Scan:
    values: dict[str, object] = {
        "function": "SCRUB", "state": "SCANNING", "started": ago(1000), "pass_started": ago(1000),
        "total_bytes": 1000 * GB, "issued_bytes": 200 * GB, "pass_issued_bytes": 200 * GB,
    }  # fmt: skip
    return Scan(**(values | changes))  # type: ignore[arg-type]


def test_a_scrub_has_its_pace_and_a_range() -> None:
    (one,) = under_way(made.pool(scan=scrub()), NOON)
    assert (one.percent, one.bytes_per_second, one.state) == (20.0, 200_000_000, "running")
    straight = 800 * GB / 200_000_000
    assert one.soonest_s is not None and one.latest_s is not None
    assert one.soonest_s < straight < one.latest_s == 2 * straight


def test_what_needs_no_check_is_not_due() -> None:
    (one,) = under_way(made.pool(scan=scrub(skipped_bytes=600 * GB)), NOON)
    assert (one.percent, one.total_bytes) == (50.0, 400 * GB)


def test_the_first_minutes_give_no_estimate() -> None:
    (one,) = under_way(made.pool(scan=scrub(started=ago(60), pass_started=ago(60))), NOON)
    assert (one.soonest_s, one.latest_s) == (None, None)
    (view,) = progress_views(made.pool(scan=scrub(pass_started=ago(60))), AT)
    assert view.left.startswith("The remaining time is not known yet.")


def test_a_new_pass_counts_from_its_own_beginning() -> None:
    scan = scrub(started=ago(900_000), pass_started=ago(200), pass_issued_bytes=20 * GB)
    (one,) = under_way(made.pool(scan=scan), NOON)
    assert one.bytes_per_second == 100_000_000


def test_a_paused_scrub_stays_paused() -> None:
    (one,) = under_way(made.pool(scan=scrub(paused=ago(30))), NOON)
    assert (one.state, one.bytes_per_second, one.soonest_s) == ("paused", None, None)
    assert one.why_no_estimate == "It is paused, and continues from where it was."


def test_expansion_removal_trim_and_initialize_are_reported_too() -> None:
    move = {"state": "SCANNING", "vdev": "raidz2-0", "started": ago(1000), "total_bytes": 100 * GB,
            "copied_bytes": 25 * GB}  # fmt: skip
    leaf = Vdev(
        guid="11", name="/dev/disk/by-id/ata-x-part1", kind="disk", role="data", state="ONLINE",
        trim=Filling(state="SUSPENDED", done_bytes=GB, total_bytes=4 * GB, changed=ago(9)),
        initialize=Filling(state="ACTIVE", done_bytes=GB, total_bytes=4 * GB, changed=ago(500)),
    )  # fmt: skip
    pool = made.pool(
        expansion=Expansion(**move, waiting=True),  # type: ignore[arg-type]
        removal=Removal(**move),  # type: ignore[arg-type]
        vdevs=(leaf,),
    )
    report = {one.kind: one for one in under_way(pool, NOON)}
    assert {kind: (one.state, one.percent) for kind, one in report.items()} == {
        "expansion": ("waiting", 25.0), "removal": ("running", 25.0), "trim": ("paused", 25.0),
        "initialize": ("running", 25.0),
    }  # fmt: skip
    assert report["expansion"].soonest_s is None
    assert report["removal"].latest_s == 6000
    assert report["trim"].subject == "ata-x-part1"


def test_what_is_over_is_not_under_way() -> None:
    done = Scan(function="SCRUB", state="FINISHED")
    assert under_way(made.pool(scan=done), NOON) == ()


def test_a_resilver_of_a_real_pool_is_read_as_zpool_reads_it() -> None:
    states = Path(__file__).parent.parent / "transcripts"
    scans = [
        pool["scan_stats"]
        for path in states.rglob("*.json")
        if '"scan_stats"' in (text := path.read_text())
        for pool in json.loads(text).get("pools", {}).values()
        if "scan_stats" in pool
    ]
    read = [one for scan in scans if (one := progress.scan(scan)) is not None]
    assert len(read) >= 1
    for one in read:
        ends = datetime.fromisoformat(one.finished) if one.finished else NOON
        found = under_way(made.pool(scan=one), ends)
        assert len(found) == (one.state == "SCANNING")
        assert all(0 <= (each.percent or 0) <= 100 for each in found)


@pytest.mark.parametrize("slow_from", [0.2, 0.5, 0.8])
def test_the_end_lies_within_the_range_of_a_disk_that_slows_to_half(slow_from: float) -> None:
    """A disk at 200 MB/s outside and 100 MB/s inside, as its tracks become shorter."""
    due, passed, done = 4000 * GB, 0.0, 0.0
    slower = 100.0
    marks: list[tuple[float, float]] = []
    while done < due:
        marks.append((passed, done))
        pace = (
            200e6
            if done / due < slow_from
            else 200e6 - slower * 1e6 * (done / due - slow_from) / (1 - slow_from)
        )
        done += pace * 60
        passed += 60
    for at, issued in marks[10:]:
        soonest, latest, _ = estimate(left=due - int(issued), done=int(issued), due=due, passed_s=at)
        if soonest is None or latest is None:
            continue
        assert soonest - 60 <= passed - at <= latest + 60


@given(due=st.integers(1, 10**15), share=st.floats(0, 1), passed=st.floats(0, 10**7))
def test_an_estimate_is_a_range_or_a_reason(due: int, share: float, passed: float) -> None:
    done = int(due * share)
    soonest, latest, why = estimate(left=due - done, done=done, due=due, passed_s=passed)
    if soonest is None or latest is None:
        assert why
    else:
        assert 0 <= soonest <= latest
