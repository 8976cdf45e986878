"""The cached inventory: stored where it differs, and the newest of those that were taken."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import msgspec
import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from host.inventory import Inventory
from host.simulated import SimulatedHost
from jobs import cache
from tests import made

NOON = datetime(2126, 11, 21, 12, 0, 0, tzinfo=UTC)  # no test runs then: what is probed now is long past
pytestmark = pytest.mark.django_db


def later(seconds: float) -> datetime:
    return NOON + timedelta(seconds=seconds)


def of(at: datetime) -> Inventory:
    return msgspec.structs.replace(made.inventory(), as_of=at.isoformat(timespec="milliseconds"))


def test_an_idle_machine_is_stored_and_decoded_once(simulated: SimulatedHost) -> None:
    cache._newest = None
    cache.store(of(NOON), simulated)
    first = cache.current()
    cache.store(of(later(15)), simulated)
    second = cache.current()
    assert first is not None and second is not None
    assert (first.as_of, second.as_of) == ("2126-11-21T12:00:00.000+00:00", "2126-11-21T12:00:15.000+00:00")
    assert second.facts is first.facts
    cache.store(of(later(10)), simulated)
    assert cache.current() is second  # a probe that was overtaken changes nothing


def test_what_was_decoded_to_be_stored_is_not_decoded_again() -> None:
    cache.keep(of(NOON))
    with CaptureQueriesContext(connection) as asked:
        found = cache.current()
    assert found is not None and found.as_of == "2126-11-21T12:00:00.000+00:00"
    assert [query["sql"] for query in asked if "data" in query["sql"].partition("FROM")[0]] == []


@pytest.mark.django_db(transaction=True)
def test_that_nothing_moved_is_not_forced_out_and_all_else_is() -> None:
    _kept(NOON)
    with CaptureQueriesContext(connection) as queries:
        _kept(later(15))
        with connection.cursor() as cursor:
            assert cursor.execute("PRAGMA synchronous").fetchone() == (2,)  # FULL
    written = [one["sql"].split()[:2] for one in queries if not one["sql"].startswith("SELECT")]
    assert written[:3] == [
        ["PRAGMA", "synchronous=NORMAL"],
        ["UPDATE", '"jobs_cachedinventory"'],
        ["PRAGMA", "synchronous=FULL"],
    ]


def _kept(at: datetime) -> datetime:
    """When the inventory that is kept after one of this time was taken."""
    cache.keep(of(at))
    inventory = cache.current()
    assert inventory is not None
    return datetime.fromisoformat(inventory.as_of)


def test_an_inventory_of_a_clock_that_was_ahead_gives_way() -> None:
    assert _kept(NOON + timedelta(days=4000)) == NOON + timedelta(days=4000)
    assert _kept(NOON) == NOON
    assert _kept(NOON - timedelta(minutes=4)) == NOON - timedelta(minutes=4)


def test_one_that_was_overtaken_is_dropped() -> None:
    assert _kept(later(50)) == later(50)
    assert _kept(NOON) == later(50)
