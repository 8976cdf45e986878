"""What is slow, by the figures: the failing disk is named, and its healthy siblings never are."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest
from django.test import Client

from alerts import tasks
from alerts.models import Incident
from alerts.slow.figures import DiskLoad, Figures, gather, loads
from alerts.slow.rules import reasons, slower_disks
from host.inventory import Inventory, NfsShare, Scan, Sharing, Vdev
from host.simulated import SimulatedHost
from jobs import cache, series
from jobs.series.collecting import Collection
from jobs.series.file import opened
from tests import made
from tests.conftest import refresh
from tests.frontend.conftest import make_tank, signed_in
from tests.frontend.test_key_pages import text


def vdev(*numbers: int, kind: str = "raidz2") -> Vdev:
    def leaf(number: int) -> Vdev:
        name = f"/dev/disk/by-id/{made.disk(number).id}-part1"
        return Vdev(guid=str(number), name=name, kind="disk", role="data", state="ONLINE", path=name,
                    disk=made.disk(number).id)  # fmt: skip

    return Vdev(
        guid="9", name=f"{kind}-0", kind=kind, role="data", state="ONLINE", children=tuple(map(leaf, numbers))
    )


def machine(*numbers: int, **pool: Any) -> Inventory:
    disks = [made.disk(number) for number in numbers]
    tank = made.pool(vdevs=(vdev(*numbers),), **pool)
    return msgspec.structs.replace(made.inventory(*disks), pools=(tank,))


def load(ms: float | list[float | None], **more: float) -> DiskLoad:
    row = tuple(ms) if isinstance(ms, list) else (ms,) * 5
    return DiskLoad(ms=row, **({"requests": 50.0, "bytes": 5e6, "busy_percent": 30.0} | more))


def named(inventory: Inventory, *loads: DiskLoad) -> list[str]:
    figures = Figures(disks=dict(zip((disk.id for disk in inventory.disks), loads, strict=False)))
    return [one.disk.id for one in slower_disks(inventory, figures)]


def test_one_disk_that_is_far_slower_is_named_with_both_figures() -> None:
    inventory = machine(1, 2, 3, 4)
    loads = (load(9), load(10), load(180), load(11))
    assert named(inventory, *loads) == [made.disk(3).id]
    figures = Figures(disks=dict(zip((disk.id for disk in inventory.disks), loads, strict=True)))
    (one,) = reasons(inventory, figures)
    assert one.code == "slow-disk" and "180 ms" in one.words and "10.0 ms" in one.words
    assert f"Bay {made.disk(3).bay}" in one.title


def test_the_dataset_that_takes_most_is_named_with_its_share() -> None:
    films, notes = made.dataset("tank/films"), made.dataset("tank/notes")
    export = NfsShare(id=1, dataset=films.name, guid=films.guid, clients=())
    inventory = msgspec.structs.replace(
        machine(1, 2), datasets=(films, notes), sharing=Sharing(nfs=(export,))
    )
    moved = {"tank/films": (9e6, 80e6), "tank/notes": (1e6, 10e6), "other/films": (0.0, 9e9)}
    (one,) = reasons(inventory, Figures(datasets=moved))
    assert (one.code, one.certain) == ("busy-dataset", False)
    assert one.title == "tank/films takes 89 % of what tank is asked for"
    assert "80 MB/s written and 9 MB/s read" in one.words and "the NFS export of tank/films" in one.words
    assert one.href == "/charts/?of=dataset:tank/films&range=hour"
    quiet = {name: (read / 100, written / 100) for name, (read, written) in moved.items()}
    assert reasons(inventory, Figures(datasets=quiet)) == ()
    even = {"tank/films": (0.0, 6e6), "tank/notes": (0.0, 6e6), "tank/more": (0.0, 6e6)}
    assert reasons(inventory, Figures(datasets=even)) == (), "none takes most"


@pytest.mark.parametrize(
    "loads",
    [
        pytest.param((load(9), load(20), load(28), load(11)), id="siblings that differ as siblings do"),
        pytest.param((load(1), load(1), load(30), load(1)), id="fast in itself"),
        pytest.param((load(200), load(210), load(190), load(220)), id="all are under the same load"),
        pytest.param((load(9), load(9), load([9, 900, 9, 9, 9]), load(9)), id="one long pause"),
        pytest.param((load(9), load(9), load([None, None, None, 400, 400]), load(9)), id="hardly asked"),
        pytest.param(
            (load([None] * 5), load([None] * 5), load(400), load([None] * 5)), id="nothing to compare"
        ),
    ],
)
def test_no_healthy_disk_is_named(loads: tuple[DiskLoad, ...]) -> None:
    assert named(machine(1, 2, 3, 4), *loads) == []


def test_a_hard_disk_beside_an_ssd_is_not_named() -> None:
    ssd = msgspec.structs.replace(made.disk(2), medium="ssd")
    tank = made.pool(vdevs=(vdev(1, 2, kind="mirror"),))
    inventory = msgspec.structs.replace(made.inventory(made.disk(1), ssd), pools=(tank,))
    assert named(inventory, load(45), load(2)) == []


def test_a_new_disk_that_is_resilvered_is_not_named() -> None:
    whole = vdev(1, 2, 4)
    new = Vdev(guid="8", name="replacing-2", kind="replacing", role="data", state="ONLINE",
               children=vdev(3, 5).children)  # fmt: skip
    tank = made.pool(vdevs=(msgspec.structs.replace(whole, children=(*whole.children, new)),))
    inventory = msgspec.structs.replace(
        made.inventory(*(made.disk(number) for number in (1, 2, 3, 4, 5))), pools=(tank,)
    )
    assert named(inventory, load(8), load(8), load(90), load(8), load(8)) == []


def test_noise_names_nobody_and_hides_nobody() -> None:
    draw = random.Random(7)
    inventory = machine(*range(1, 9))
    for _ in range(200):
        noisy = [load([draw.gauss(12, 3) for _ in range(5)]) for _ in range(8)]
        assert named(inventory, *noisy) == []
        noisy[5] = load([draw.gauss(150, 40) for _ in range(5)])
        assert named(inventory, *noisy) == [made.disk(6).id]


def test_a_link_that_fell_back_a_full_pool_a_scrub_and_a_small_cache_are_said() -> None:
    scan = Scan(function="SCRUB", state="SCANNING", percent=35.0)
    inventory = machine(1, 2, 3, size_bytes=100, allocated_bytes=93, scan=scan)
    busy = load(20, requests=400, bytes=400 * 8192, busy_percent=95)
    figures = Figures(
        links={"eno1": (100, 1000), "eno2": (1000, 1000)}, demand_hit_percent=60, ghost_hits=40,
        disks={disk.id: busy for disk in inventory.disks},
    )  # fmt: skip
    found = reasons(inventory, figures)
    assert [one.code for one in found] == ["slow-link", "full-pool", "small-cache", "small-requests", "scan"]
    assert [one.certain for one in found] == [True, True, True, False, False]
    assert "100 Mbit/s" in found[0].title and "1000" in found[0].words and "8 KiB" in found[3].words


def test_a_paused_scrub_and_a_cache_that_nobody_asks_slow_nothing() -> None:
    scan = Scan(function="SCRUB", state="SCANNING", percent=35.0, paused="2026-11-01T00:00:00Z")
    assert reasons(machine(1, 2, scan=scan), Figures(demand_hit_percent=60, ghost_hits=1)) == ()


def test_a_slow_disk_of_the_machine_is_found_through_all_that_measures_it(
    simulated: SimulatedHost, admin: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    browser: Client = signed_in(admin)
    make_tank(browser)
    with simulated.change() as changed:
        changed.slow_ms["WD-WCC4N1KP8F2E"] = 240.0
    collection, now = Collection(), datetime.now(UTC)
    start = now.timestamp() - 330
    for step in range(33):
        # Of that module alone: the machine has a clock of its own.
        clock = SimpleNamespace(time=lambda at=start + 10 * step: at)
        monkeypatch.setattr("jobs.series.collecting.time", clock)
        collection.collect(cache.current())
        simulated.pass_time(10)
    inventory = cache.current()
    assert inventory is not None
    figures = gather(inventory, now)
    (found,) = slower_disks(inventory, figures)
    assert (found.disk.serial, round(found.ms), round(found.others_ms)) == ("WD-WCC4N1KP8F2E", 240, 4)
    page = text(browser.get("/slow/"))
    (reason,) = browser.get("/api/v1/slow/").json()["results"]
    assert (reason["code"], reason["certain"]) == ("slow-disk", True) and reason["title"] in page
    assert f"Bay {found.disk.bay} is far slower than the other disks" in page and "240.0 ms, slow" in page


def test_the_figures_of_all_disks_are_read_with_one_opening_of_the_file(
    simulated: SimulatedHost, monkeypatch: pytest.MonkeyPatch
) -> None:
    refresh()
    inventory = cache.current()
    assert inventory is not None
    openings: list[bool] = []

    @contextmanager
    def counted() -> Iterator[sqlite3.Connection]:
        openings.append(True)
        with opened() as file:
            yield file

    monkeypatch.setattr("jobs.series.reading.opened", counted)
    assert len(loads(inventory, datetime.now(UTC), 5)) == len(inventory.disks) > 6
    assert openings == [True]


def test_a_disk_that_stays_slow_raises_one_alert_that_names_its_bay_and_ends_when_it_is_quick_again(
    simulated: SimulatedHost, admin: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_tank(signed_in(admin))
    slow: float | None = 300.0
    monkeypatch.setattr(tasks, "loads", lambda *_: loads_of(slow))

    def loads_of(ms: float | None) -> dict[str, DiskLoad]:
        inventory = cache.current()
        assert inventory is not None
        return {
            disk.id: DiskLoad(ms=(ms if disk.serial == "WD-WCC4N1KP8F2E" else 9.0,) * 10)
            for disk in inventory.disks
        }

    for _ in range(3):
        tasks.compare()
        refresh()
        tasks.watch()
    (incident,) = Incident.objects.filter(kind="disk-slow")
    assert incident.title.startswith("Bay A3: the disk is far slower than the others of raidz2-0")
    assert "300 ms" in incident.cause["details"][0]
    slow = None  # nobody reads or writes: that says nothing of it
    for _ in range(2):
        tasks.compare()
        refresh()
        tasks.watch()
    incident.refresh_from_db()
    assert incident.calm_since is None
    slow = 9.0
    tasks.compare()
    refresh()
    tasks.watch()
    incident.refresh_from_db()
    assert incident.calm_since is not None


def test_a_link_is_compared_with_the_best_of_its_month(simulated: SimulatedHost) -> None:
    now = datetime.now(UTC)
    at = int(now.timestamp())
    series.record(
        [series.Point("port.mbit:eno1", at - 86_400 * 9, 1000), series.Point("port.mbit:eno1", at, 100)]
    )
    inventory = cache.current()
    assert inventory is not None
    assert gather(inventory, now).links == {"eno1": (100, 1000)}
    assert gather(inventory, now + timedelta(minutes=5)).links == {}


def test_before_anything_was_measured_the_page_says_so(simulated: SimulatedHost, admin: Any) -> None:
    assert "Nothing to compare yet" in text(signed_in(admin).get("/slow/"))
