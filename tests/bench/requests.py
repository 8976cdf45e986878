"""Server time of plans, pages and reads, in this process, on a simulated machine of 102 bays."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from tests.bench.timing import show, show_times, times_ms


def measure() -> None:
    """Set up a console in a temporary folder and time it through Django's own client."""
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
        _time_plan()
        _time_advice()
        _time_requests()


def _time_plan() -> None:
    from pools.create_pool import CreatePool, NewVdev, plan
    from tests import made

    disks = tuple(made.disk(number) for number in range(1, 91))
    machine = made.inventory(*disks)
    groups = [disks[start : start + 10] for start in range(0, 90, 10)]
    vdevs = tuple(NewVdev(layout="raidz2", disks=tuple(d.id for d in group)) for group in groups)
    request = CreatePool(name="tank", vdevs=vdevs)
    times = times_ms(lambda: plan(request, machine).view())
    show_times("plan of a pool of 90 disks", times, aim=20, how="nine raidz2 of ten, with digest and view")


def _time_advice() -> None:
    from pools.advice.ask import AskAdvice, advise
    from tests import made

    disks = tuple(made.disk(number) for number in range(1, 25))
    machine = made.inventory(*disks)
    request = AskAdvice(disks=tuple(disk.id for disk in disks))
    count = len(advise(request, machine).layouts)
    times = times_ms(lambda: advise(request, machine))
    show_times("advice for 24 disks", times, aim=100, how=f"{count} layouts with their findings")


def _time_requests() -> None:
    from django.test import Client

    from accounts import tokens
    from accounts.models import User
    from accounts.roles import Role
    from jobs import engine
    from jobs.operation import the_host

    engine.refresh(the_host())
    user = User.objects.create_user("bench", role=Role.ADMIN)
    _, token = tokens.create(name="bench", scopes=("disks:read", "pools:read", "system:read"), user=user)
    browser, script = Client(), Client(headers={"Authorization": f"Bearer {token}"})
    browser.force_login(user)
    for what, client, path, aim in (
        ("overview page with 102 bays", browser, "/", 50),
        ("disks page with 102 bays", browser, "/disks/", 50),
        ("API: pools/", script, "/api/v1/pools/", 20),
        ("API: system/", script, "/api/v1/system/", 20),
        ("API: disks/ (104 disks, 100 a page)", script, "/api/v1/disks/", 20),
    ):
        answer = client.get(path)
        assert answer.status_code == 200, (path, answer.status_code)
        times = times_ms(lambda client=client, path=path: client.get(path))  # type: ignore[misc]
        show_times(what, times, aim=aim, how=f"GET {path}, {len(answer.content) / 1000:.0f} kB, whole stack")
    for path in ("/", "/disks/"):
        weight = len(browser.get(path).content) / 1000
        show(f"{path} with 102 bays", weight, aim=150, unit="kB", how="before compression")
