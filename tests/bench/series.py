"""What it costs to measure a machine of 102 disks, to keep it, and to read it back."""

from __future__ import annotations

import os
import tempfile
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

from tests.bench.timing import show, show_times, times_ms

_DAY_S = 86_400


def measure() -> None:
    """Rounds of collection, a write to the disk, a year and a month read back, and the overview."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ.update(
            DATA_DIR=folder, MACHINE="rack102", DJANGO_SETTINGS_MODULE="nasweb.settings", NASWEB_LOG="ERROR"
        )
        import django
        from django.conf import settings
        from django.core.management import call_command

        django.setup()
        settings.ALLOWED_HOSTS = ["*"]
        call_command("migrate", verbosity=0)
        settings.STATIC_ROOT = Path(folder) / "static"
        call_command("collectstatic", verbosity=0, interactive=False)
        _time(Path(folder))


def _time(folder: Path) -> None:
    from django.test import Client

    from accounts.models import User
    from accounts.roles import Role
    from host.simulated import SimulatedHost
    from jobs import cache, engine, series
    from jobs.operation import the_host
    from jobs.series.collecting import Collection

    host = the_host()
    engine.refresh(host)
    inventory = cache.current()
    assert inventory is not None and isinstance(host, SimulatedHost)
    count, collection, rounds = len(inventory.disks), Collection(), []
    for number in range(21):
        host.pass_time(10)
        started = time.process_time()
        collection.collect(inventory)
        if number:  # the first has nothing to compare itself with
            rounds.append(1000 * (time.process_time() - started))
    show_times(
        f"a round of collection ({count} disks)", rounds, aim=100, how="processor time, simulated files"
    )
    now = int(time.time())
    names = [f"disk.{kind}:S{disk}" for disk in range(count) for kind in ("read_bytes", "busy_percent")]
    series.record(
        series.Point(name, now - 10 * back, back % 97 + 0.5) for name in names for back in range(90)
    )
    flushed = times_ms(lambda: series.flush(datetime.now(UTC)), runs=5, warm_up=1)
    show_times("writing a quarter of an hour down", flushed, aim=1000, how=f"{count} disks")
    _fill("disk.read_ms:S0", now)
    year = timedelta(days=365)
    read = times_ms(lambda: series.read("disk.read_ms:S0", datetime.now(UTC) - year, datetime.now(UTC)))
    show_times("a year of one series", read, aim=30, how="hours, from the file")
    month = timedelta(days=30)
    read = times_ms(
        lambda: series.read("disk.read_ms:S0", datetime.now(UTC) - month, datetime.now(UTC), most=1200)
    )
    show_times("a month of one series", read, aim=60, how="minutes, 1 200 points")
    browser = Client()
    browser.force_login(User.objects.create_user("bench", role=Role.ADMIN))
    for name in ("cpu.user_percent", "cpu.system_percent", "cpu.iowait_percent", "arc.size_bytes"):
        series.record(series.Point(name, now - 10 * back, 5.0) for back in range(_DAY_S // 10))
    times = times_ms(lambda: browser.get("/overview/tiles/"), runs=40)
    show_times("tiles with a day of series", times, aim=60, how="GET /overview/tiles/, whole stack")
    size = sum(path.stat().st_size for path in folder.glob("series.sqlite3*"))
    show("the file of series so far", size / 1e6, aim=3 * count, unit="MB", how="with a year of one series")


def _fill(name: str, now: int) -> None:
    from jobs import series

    series.record(series.Point(name, now - 3600 * back, back % 31 + 0.25) for back in range(1, 24 * 365))
    series.record(series.Point(name, now - 60 * back, back % 31 + 0.25) for back in range(1, 60 * 24 * 30))
    series.flush(datetime.now(UTC))


if __name__ == "__main__":
    measure()
