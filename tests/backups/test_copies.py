"""What counts as a copy elsewhere, and what is reported when a backup is none."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from rest_framework.test import APIClient

from alerts.copied import counts
from alerts.gathering import gather
from alerts.incidents import backups
from backups.models import BackupRow
from host.inventory import DatasetCopy
from host.simulated import SimulatedHost
from jobs import cache
from tests.backups.conftest import done, end
from tests.conftest import refresh

NOW = datetime(2026, 11, 25, 22, 0, tzinfo=UTC)


def hours_ago(count: float) -> str:
    return (NOW - timedelta(hours=count)).isoformat()


@pytest.mark.parametrize(
    ("made", "proven", "counted"),
    [
        (hours_ago(35), hours_ago(24 * 44), True), (hours_ago(37), hours_ago(1), False),
        (hours_ago(1), hours_ago(24 * 46), False), (hours_ago(1), None, False), (None, hours_ago(1), False),
        (hours_ago(-9000), hours_ago(-9000), True),  # the clock was set back
    ],
)  # fmt: skip
def test_a_copy_counts_while_it_is_fresh_and_proven(
    made: str | None, proven: str | None, counted: bool
) -> None:
    copy = DatasetCopy(guid="7", where="far", made_at=made, longest_age_h=36, proven_at=proven)
    assert counts(copy, NOW) is counted


def finding(api: APIClient) -> list[str]:
    found = api.get("/api/v1/doctor/").json()["results"]
    return [one["title"] for one in found if one["code"] == "no-copy"]


def test_the_finding_closes_itself_once_all_is_stored_and_proven(
    api: APIClient, stick: SimulatedHost
) -> None:
    assert finding(api) == ["Not all of tank has a fresh, proven copy elsewhere"]
    done(api.post("/api/v1/backups/Photos/run/"))
    end(stick)
    assert finding(api) == ["Not all of tank has a fresh, proven copy elsewhere"]
    done(api.post("/api/v1/repositories/stick/check/"))
    end(stick)
    assert finding(api) == []


def test_a_repository_in_the_pool_itself_is_no_copy(api: APIClient, with_files: SimulatedHost) -> None:
    place = {"name": "near", "password": "apples and pears", "local": {"path": "/mnt/tank/backups"}}
    assert done(api.post("/api/v1/repositories/", place))["state"] == "succeeded"
    backup = {"name": "Near", "repository": "near", "datasets": ["tank/photos"]}
    plan = api.post("/api/v1/backups/?dry_run=true", backup).json()
    assert "same-pool" in [one["code"] for one in plan["findings"]]
    done(api.post("/api/v1/backups/", backup))
    assert finding(api) == ["No copy of tank elsewhere is known"]


def test_an_old_backup_is_an_incident(api: APIClient, stick: SimulatedHost) -> None:
    def titles() -> list[str]:
        inventory = cache.current()
        assert inventory is not None
        return [one.title for one in backups.causes(gather(inventory))]

    assert titles() == []
    BackupRow.objects.update(made_at=datetime.now(UTC) - timedelta(hours=37))
    refresh()
    assert titles() == ["The backup Photos is too old"]
    with stick.change() as machine:
        machine.backups.places["/media/stick/backups"].damaged = True
    done(api.post("/api/v1/repositories/stick/check/"))
    end(stick)
    assert titles() == ["The backup Photos is too old", "The repository stick is damaged"]
