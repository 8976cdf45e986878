"""Server time of the doctor and of alerts, on a simulated machine of 24 disks in one pool."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from tests.bench.timing import show_times, times_ms


def measure() -> None:
    """Make the pool through the API, with a year of how it filled up, and time what the API answers."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ.update(
            DATA_DIR=folder, MACHINE="rack24", DJANGO_SETTINGS_MODULE="nasweb.settings", NASWEB_LOG="ERROR"
        )
        import django
        from django.conf import settings
        from django.core.management import call_command

        django.setup()
        settings.ALLOWED_HOSTS = ["*"]
        call_command("migrate", verbosity=0)
        settings.STATIC_ROOT = Path(folder) / "static"
        call_command("collectstatic", verbosity=0, interactive=False)
        _time()


def _time() -> None:
    from django.test import Client

    from accounts import tokens
    from accounts.models import User
    from accounts.roles import Role
    from alerts import tasks
    from alerts.doctor.examine import examine
    from alerts.gathering import gather_all
    from disks import tasks as disk_tasks
    from host.simulated import SimulatedHost
    from jobs import cache, engine
    from jobs.models import Job
    from jobs.operation import the_host
    from jobs.submission import submit

    host = the_host()
    engine.refresh(host)
    inventory = cache.current()
    assert inventory is not None and isinstance(host, SimulatedHost)
    free = [disk.id for disk in inventory.disks if disk.free]
    groups = [free[start : start + 8] for start in (0, 8, 16)]
    vdevs = [{"role": "data", "layout": "raidz2", "disks": group} for group in groups]
    user = User.objects.create_user("bench", role=Role.ADMIN)
    job = submit("pool.create", {"name": "tank", "vdevs": vdevs}, user)
    engine.run(job.pk, host)
    assert Job.objects.get(pk=job.pk).state == "succeeded", Job.objects.get(pk=job.pk).error
    disk_tasks.read_smart()
    _fill_up()
    inventory = cache.current()
    assert inventory is not None and len([d for d in inventory.disks if not d.free]) >= 24
    found = inventory
    times = times_ms(lambda: examine(found, gather_all(found)))
    show_times("doctor on 24 disks", times, aim=2000, how="all checks, with what is remembered of a year")
    _, token = tokens.create(name="bench", scopes=("alerts:read", "pools:read"), user=user)
    script = Client(headers={"Authorization": f"Bearer {token}"})
    for path, aim in (("doctor/", 2000), ("alerts/", 20), ("pools/tank/live/", 20)):
        answer = script.get(f"/api/v1/{path}")
        assert answer.status_code == 200, (path, answer.status_code)
        times = times_ms(lambda path=path: script.get(f"/api/v1/{path}"))  # type: ignore[misc]
        how = f"GET {path}, {len(answer.content) / 1000:.0f} kB, whole stack"
        show_times(f"API: {path} (24 disks)", times, aim=aim, how=how)
    browser = Client()
    browser.force_login(user)
    times = times_ms(lambda: browser.get("/doctor/"))
    show_times("doctor page (24 disks)", times, aim=2000, how="GET /doctor/, whole stack")
    host.pull(next(disk.serial or "" for disk in inventory.disks if disk.id == free[3]))
    engine.refresh(host)
    times = times_ms(_report_anew, runs=20)
    show_times("reporting a pulled disk (24 disks)", times, aim=1000, how="the tick after a probe")
    assert tasks._Seen.as_of


def _fill_up() -> None:
    """A year of how full the pool was, every hour."""
    import time

    from alerts.doctor.space import SERIES
    from jobs import cache, series

    inventory = cache.current()
    assert inventory is not None
    now = int(time.time())
    name = f"{SERIES}:{inventory.pools[0].guid}"
    series.record(series.Point(name, now - hour * 3600, 9e12 - 1e9 * hour) for hour in range(24 * 365))


def _report_anew() -> None:
    from alerts import tasks

    tasks._Seen.inventory, tasks._Seen.as_of = None, ""
    tasks.watch()


if __name__ == "__main__":
    measure()
