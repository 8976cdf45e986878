"""Errors of memory modules: when they raise an alert, and when that ends."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any

import pytest
from rest_framework.test import APIClient

from alerts import tasks
from alerts.doctor.examine import examine
from alerts.evidence import Evidence
from alerts.incidents import ecc
from alerts.incidents.recording import cause_of
from alerts.memory import MemorySlot, grown, slots
from alerts.models import Incident
from jobs import cache, series
from jobs.series.collecting import Collection
from tests import made
from tests.conftest import refresh, simulated_machine

HOUR = 3600


@pytest.mark.parametrize(
    ("counts", "booted", "rose"),
    [
        ([], 0, 0),
        ([7, 7, 7], 0, 0),  # made before anyone looked
        ([7, 7, 7], 90_000, 7),  # the machine was started within that time
        ([0, 3, 3, 12], 0, 12),
        ([40, 40, 2, 5], 0, 5),  # the count began anew
        ([1e6, 1e6 + 30, 1e6 - 30], 0, 0),  # as exact as old values are kept
    ],
)
def test_what_counts_is_how_much_a_count_rose(counts: list[float], booted: float, rose: int) -> None:
    times = [100_000 + HOUR * place for place in range(len(counts))]
    assert grown(times, counts, since=90_000, booted=booted) == rose


def test_what_rose_earlier_counts_no_more() -> None:
    assert grown([0, HOUR, 2 * HOUR, 3 * HOUR], [0, 50, 50, 53], since=2 * HOUR, booted=-1) == 3


@pytest.mark.parametrize(
    ("slot", "severity"),
    [
        (MemorySlot(label="DIMM_A1", corrected=9), None),
        (MemorySlot(label="DIMM_A1", corrected=10), "warning"),
        (MemorySlot(label="DIMM_A1", uncorrected=1), "critical"),
        (MemorySlot(label="DIMM_A1", corrected=300, uncorrected=2), "critical"),
    ],
)
def test_ten_corrected_errors_a_day_warn_and_one_uncorrected_is_critical(
    slot: MemorySlot, severity: str | None
) -> None:
    found = list(ecc.causes(Evidence(memory_slots=(slot,))))
    assert [one.severity for one in found] == ([severity] if severity else [])
    assert all("DIMM_A1" in one.title and one.details[0].startswith("The memory module") for one in found)


def test_the_doctor_says_it_of_the_machine() -> None:
    known = Evidence(memory_slots=(MemorySlot(label="DIMM_A1", corrected=12),))
    (finding,) = [one for one in examine(made.inventory(), known).findings if one.code == "memory-errors"]
    assert (finding.severity, finding.subject.kind, finding.subject.id) == (
        "warning", "machine", "memory:DIMM_A1",
    )  # fmt: skip


def record(name: str, *values: tuple[datetime, float]) -> None:
    series.record([series.Point(name, int(at.timestamp()), value) for at, value in values])


@pytest.mark.django_db
def test_slots_are_read_from_the_series() -> None:
    now = datetime.now(UTC)
    before = now - timedelta(hours=2)
    record("memory.corrected_errors:DIMM_A1", (before, 5), (now - timedelta(seconds=10), 20))
    record("memory.uncorrected_errors:DIMM_A1", (before, 0), (now - timedelta(seconds=10), 0))
    record("memory.corrected_errors:DIMM_B1", (before, 70), (now - timedelta(seconds=10), 70))
    assert slots(0, now) == (MemorySlot(label="DIMM_A1", corrected=15),)


def test_errors_that_rise_are_one_alert_that_ends_by_itself(
    transactional_db: None, settings: Any, tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tasks._Seen, "memory", ())
    machine = simulated_machine(settings, tmp_path, "flash4")
    now = datetime.now(UTC)
    record("memory.corrected_errors:DIMM_A1", (now - timedelta(hours=2), 0))
    with machine.change() as changed:
        changed.corrected_errors["DIMM_A1"] = 11
    collection = Collection()
    start = now.timestamp()
    for seconds in (20, 10):
        clock = SimpleNamespace(time=lambda at=start - seconds: at)
        monkeypatch.setattr("jobs.series.collecting.time", clock)
        collection.collect(cache.current())
        machine.pass_time(10)
    tasks.compare()
    refresh()
    tasks.watch()
    (incident,) = Incident.objects.filter(closed_at=None, kind="memory-errors")
    assert "11 errors corrected within a day" in cause_of(incident).details[0]
    monkeypatch.setattr(tasks, "slots", lambda *_: ())
    tasks.compare()
    refresh()
    tasks.watch()
    assert Incident.objects.get(kind="memory-errors").calm_since is not None


def test_a_machine_without_ecc_says_it_once_and_it_can_be_acknowledged_for_good(api: APIClient) -> None:
    here = "/api/v1/doctor/"
    (finding,) = [one for one in api.get(here).json()["results"] if one["code"] == "no-ecc"]
    assert finding["severity"] == "advice" and "or Linux has no driver that reports it" in finding["title"]
    answer = api.post(f"{here}no-ecc/acknowledge/", {"subject": "machine", "for_good": True})
    assert answer.json()["state"] == "succeeded"
    seen = api.get(here).json()
    assert "no-ecc" not in [one["code"] for one in seen["results"]]
    (kept,) = [one for one in seen["acknowledged"] if one["code"] == "no-ecc"]
    assert kept["acknowledged"]["until"] == "9999-12-31"
    refused = api.post(f"{here}no-copy/acknowledge/", {"subject": "machine", "note": "x", "for_good": True})
    assert "for_good" in [one["field"] for one in refused.json()["findings"]]
