"""Long lists: the page of 10 000 datasets, and Files with 10 000 entries in a folder, simulated and real.

Runs in a process of its own: Django is set up once in a process.
"""

from __future__ import annotations

import os
import tempfile
from itertools import count
from pathlib import Path

from tests.bench.timing import show_times, times_ms

MANY = 10_000
_HOME = "tank/home"


def measure() -> None:
    """Fill a simulated machine, and time its pages; then what the helper reads of a real folder."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ.update(
            DATA_DIR=folder, MACHINE="home", DJANGO_SETTINGS_MODULE="nasweb.settings", NASWEB_LOG="ERROR"
        )
        import django
        from django.conf import settings
        from django.core.management import call_command

        django.setup()
        settings.ALLOWED_HOSTS = ["*"]
        settings.CELERY_TASK_ALWAYS_EAGER = True
        settings.STATIC_ROOT = Path(folder) / "static"
        call_command("migrate", verbosity=0)
        call_command("collectstatic", verbosity=0, interactive=False)
        _fill()
        _time_pages()
    with tempfile.TemporaryDirectory() as folder:
        _time_folder(Path(folder))


def _fill() -> None:
    import msgspec

    from accounts.models import User
    from accounts.roles import Role
    from host.commands.datasets.zfs import ZfsCreate
    from host.simulated import SimulatedHost
    from host.simulated.datasets.lifecycle import find
    from jobs import cache, engine
    from jobs.models import IndexedDataset
    from jobs.operation import the_host
    from jobs.submission import submit

    host = the_host()
    assert isinstance(host, SimulatedHost)
    engine.refresh(host)
    inventory = cache.current()
    assert inventory is not None
    user = User.objects.create_user("bench", role=Role.ADMIN)
    disks = [disk.id for disk in inventory.disks if disk.free]
    vdevs = [{"role": "data", "layout": "raidz2", "disks": disks}]
    engine.run(submit("pool.create", {"name": "tank", "vdevs": vdevs}, user).pk, host)
    host.run(ZfsCreate(name=_HOME))
    host.write_file(_HOME, b"000000.txt", b"x")
    with host._store.change() as machine:
        files = find(machine, _HOME)[1].files
        files += [msgspec.structs.replace(files[-1], path=f"{number:06}.txt") for number in range(1, MANY)]
    engine.refresh(host)
    inventory = cache.current()
    assert inventory is not None
    (home,) = (one for one in inventory.datasets if one.name == _HOME)
    # The simulated machine tells of so many in minutes; the pages read what is cached.
    more = [msgspec.structs.replace(home, name=f"tank/d{at:05}", guid=f"{at}") for at in range(MANY)]
    IndexedDataset.objects.bulk_create(
        IndexedDataset(name=one.name, guid=one.guid, count=3, newest=1_790_000_000, settled=True)
        for one in more
    )
    cache.keep(msgspec.structs.replace(inventory, datasets=(*inventory.datasets, *more)))


def _time_pages() -> None:
    from django.test import Client

    from accounts.models import User

    browser = Client()
    browser.force_login(User.objects.get())
    for what, path, aim in (
        ("datasets, tree of 10 000", "/datasets/", 300),
        ("datasets, 10 000 by size", "/datasets/?sort=-used&kind=filesystem", 300),
        ("datasets, without snapshots", "/datasets/?only=unprotected&sort=-newest", 300),
        ("Files, choice of 10 000 datasets", "/files/", 300),
        ("Files, 10 000 entries in a folder", f"/files/{_HOME}/", 300),
    ):
        answer = browser.get(path)
        assert answer.status_code == 200, (path, answer.status_code)
        times = times_ms(lambda path=path: browser.get(path), runs=40)  # type: ignore[misc]
        show_times(what, times, aim=aim, how=f"GET {path}, {len(answer.content) / 1000:.0f} kB, whole stack")
    starts = count()
    times = times_ms(lambda: browser.get(f"/files/{_HOME}/?after=.{next(starts):06}.txt"), runs=40)
    how = "each time another page of it, which the simulated machine is asked for anew"
    show_times("Files, 10 000 entries, never seen", times, aim=300, how=how)


def _time_folder(place: Path) -> None:
    """As the helper reads it on a file system of this machine."""
    from host.files import entries
    from host.files.opening import Root

    for number in range(MANY):
        (place / f"{number:06}.txt").touch()
    descriptor = os.open(place, os.O_RDONLY | os.O_DIRECTORY)
    root = Root(descriptor=descriptor, device=os.fstat(descriptor).st_dev)
    times = times_ms(lambda: entries.page(root, (), after=None, limit=100), runs=40)
    show_times("reading a page of 10 000 real files", times, aim=100, how="what the helper does for Files")
    os.close(descriptor)


if __name__ == "__main__":
    measure()
