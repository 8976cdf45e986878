"""The first page: what it says of the machine as a whole, and what runs."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import msgspec
import pytest
from django.core.cache import cache as django_cache
from django.test import Client

from accounts.models import User
from frontend.overview.running import Running, running
from frontend.pools.growth import growths
from host.inventory import ArrayWork, Filling, Inventory, MdArray, Scan
from jobs import cache, series
from jobs.models import Job, JobStep
from tests import made
from tests.frontend import machines
from tests.frontend.conftest import make_tank, show

AT = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
TIB = 1 << 40


def at(inventory: Inventory) -> Inventory:
    return msgspec.structs.replace(inventory, as_of=AT.isoformat())


def seen(inventory: Inventory) -> tuple[Running, ...]:
    return running(at(inventory), [], User(username="anna"))


def test_nothing_runs_on_a_machine_at_rest() -> None:
    assert seen(machines.tank()) == ()
    assert running(None, [], User(username="anna")) == ()


def test_a_scrub_has_the_percentage_of_the_kernel_and_when_it_may_be_over() -> None:
    scan = Scan(
        function="SCRUB", state="SCANNING", total_bytes=4 * TIB, issued_bytes=TIB, pass_issued_bytes=TIB,
        started=(AT - timedelta(hours=1)).isoformat(),
    )  # fmt: skip
    (row,) = seen(machines.tank(scan=scan))
    assert (row.title, row.href, row.percent) == ("Scrub · tank", "/pools/tank/", 25.0)
    assert row.figures.startswith("25.0 % · 1.00 TiB of 4.00 TiB")
    assert row.left == "≈ 2 h to 6 h left"


def test_disks_that_are_trimmed_together_are_one_line() -> None:
    machine = machines.tank(width=3)
    (pool,) = machine.pools
    trims = [
        Filling(state="ACTIVE", done_bytes=done, total_bytes=100, changed=AT.isoformat())
        for done in (20, 30, 40)
    ]
    leaves = [
        msgspec.structs.replace(one, trim=trim)
        for one, trim in zip(pool.vdevs[0].children, trims, strict=True)
    ]
    top = msgspec.structs.replace(pool.vdevs[0], children=tuple(leaves))
    pool = msgspec.structs.replace(pool, vdevs=(top,))
    (row,) = seen(msgspec.structs.replace(machine, pools=(pool,)))
    assert (row.title, row.percent) == ("Trim of 3 disks · tank", 30.0)
    assert "not known yet" in row.left


def test_a_self_test_and_an_array_that_is_checked_are_told() -> None:
    disk = made.disk(1, test_remaining_percent=70)
    array = MdArray(
        name="backup", kname="md0", path="/dev/md0", uuid="8:8:8:8", level="raid1", metadata="1.2",
        size_bytes=TIB, wanted=2, state="clean",
        work=ArrayWork(kind="check", percent=42.0, remaining_s=7200),
    )  # fmt: skip
    machine = msgspec.structs.replace(machines.machine([disk]), arrays=(array,))
    rows = {row.title: (row.percent, row.left) for row in seen(machine)}
    assert rows == {
        "Check of backup": (42.0, "≈ 2 h left, as estimated by the kernel"),
        "Self-test · bay A1": (30, ""),
    }


def test_a_job_tells_its_step_and_no_percentage(admin: User) -> None:
    job = Job.objects.create(
        operation="pool.scrub",
        request={"pool": "tank"},
        plan={},
        state="running",
        submitted_by="admin",
        submitted_at=AT,
    )
    for index, state in enumerate(("succeeded", "running", "waiting")):
        JobStep.objects.create(job=job, index=index, title="A step", state=state, commands=[])
    (row,) = running(None, [job], admin)
    assert (row.href, row.percent, row.figures) == (f"/jobs/{job.pk}/", None, "step 2 of 3")


def test_a_pool_that_is_not_whole_is_never_called_healthy(browser: Client) -> None:
    whole = machines.tank()
    (pool,) = whole.pools
    show(msgspec.structs.replace(whole, pools=(msgspec.structs.replace(pool, state="DEGRADED"),)))
    verdict = browser.get("/").context["verdict"]
    assert (verdict.text, verdict.tone) == ("tank is degraded", "warn")


def test_the_card_of_a_pool_says_when_it_will_be_full(browser: Client) -> None:
    make_tank(browser)
    assert "Days until full: not known before 7 days" in browser.get("/").content.decode()
    inventory = cache.current()
    assert inventory is not None
    now, tank = int(datetime.now(UTC).timestamp()), inventory.pools[0].guid
    series.record(
        series.Point(f"pool.used_bytes:{tank}", now - day * 86_400, 4e12 - 1e11 * day)
        for day in range(20, 0, -1)
    )
    django_cache.clear()  # what a card says is kept for some minutes
    (growth,) = growths(inventory).values()
    assert (growth.words, growth.detail) == ("Full in 4 months", "+93.1 GiB a day, over 20 days")
    assert growth.curve is not None and growth.curve.latest == pytest.approx(3.9e12, rel=1e-4)
    page = browser.get("/").content.decode()
    assert growth.words in page and growth.curve.path in page
