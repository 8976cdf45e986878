"""200 shares and 500 people on a simulated machine: pages, API, and a change from its plan to its end.

Runs in a process of its own: Django is set up once in a process.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from tests.bench.timing import show_times, times_ms

if TYPE_CHECKING:
    from accounts.models import User
    from host.simulated import SimulatedHost
    from host.simulated.state import Machine

SHARES, PEOPLE, TEAMS = 200, 500, 20
_CHANGED = "Share 100"


def measure() -> None:
    """Set up a console in a temporary folder, and time it."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ.update(
            DATA_DIR=folder, MACHINE="rack24", DJANGO_SETTINGS_MODULE="nasweb.settings", NASWEB_LOG="ERROR"
        )
        import django
        from django.conf import settings
        from django.core.management import call_command

        django.setup()
        settings.ALLOWED_HOSTS = ["*"]
        settings.STATIC_ROOT = Path(folder) / "static"
        call_command("migrate", verbosity=0)
        call_command("collectstatic", verbosity=0, interactive=False)
        _time()


def _time() -> None:
    from accounts.models import User
    from accounts.roles import Role
    from host.simulated import SimulatedHost
    from jobs.operation import the_host

    host = the_host()
    assert isinstance(host, SimulatedHost)
    user = User.objects.create_user("bench", role=Role.ADMIN)
    _fill(host, user)
    _time_requests(user)
    _time_changes(host, user)


def _fill(host: SimulatedHost, user: User) -> None:
    """A pool with a dataset for each share, the people, and all of it served."""
    from host.inventory import NfsClient, NfsShare, Sharing, SmbShare
    from jobs import cache, engine
    from shares import stored

    engine.refresh(host)
    inventory = cache.current()
    assert inventory is not None
    disks = [disk.id for disk in inventory.disks if disk.free][:8]
    _do(
        "pool.create", {"name": "tank", "vdevs": [{"role": "data", "layout": "raidz2", "disks": disks}]}, user
    )
    host.crowd("tank", datasets=SHARES, snapshots=0)
    with host._store.change() as machine:
        _people(machine)
    engine.refresh(host)
    inventory = cache.current()
    assert inventory is not None
    datasets = [one for one in inventory.datasets if one.name != "tank"]
    stored.keep(
        Sharing(
            smb=tuple(
                SmbShare(
                    id=0, name=f"Share {number:03}", guid=one.guid, dataset=one.name,
                    read=(f"@team{number % TEAMS}",),
                    write=tuple(_name((number + place) % PEOPLE) for place in range(4)),
                )
                for number, one in enumerate(datasets)
            ),
            nfs=tuple(
                NfsShare(id=0, guid=one.guid, dataset=one.name, clients=(NfsClient(host="10.0.0.0/8"),))
                for one in datasets[::10]
            ),
        )
    )  # fmt: skip
    engine.refresh(host)
    _do("sharing.apply", {}, user)


def _people(machine: Machine) -> None:
    from host.inventory.people import FIRST_GROUP, FIRST_PERSON
    from host.simulated.accounts import GroupState, PersonState, SambaState

    for number in range(PEOPLE):
        uid = FIRST_PERSON + number
        machine.people[_name(number)] = PersonState(uid=uid, full_name=f"Person {number}")
        machine.known_to_samba[_name(number)] = SambaState(salt="", hash="")
    for number in range(TEAMS):
        members = [_name(one) for one in range(number, PEOPLE, TEAMS)]
        machine.groups[f"team{number}"] = GroupState(gid=FIRST_GROUP + number, members=members)


def _name(number: int) -> str:
    return f"person{number:03}"


def _do(operation: str, data: dict[str, object], user: User) -> None:
    """A job from its plan to its end, as the page and then the worker go about it."""
    from jobs import engine
    from jobs.models import Job
    from jobs.operation import the_host
    from jobs.submission import prepare, submit

    job = submit(operation, data, user, digest=prepare(operation, data, user).digest)
    engine.run(job.pk, the_host())
    ended = Job.objects.get(pk=job.pk)
    assert ended.state == "succeeded", ended.error


def _time_changes(host: SimulatedHost, user: User) -> None:
    from host.commands.shares.sharing import PATHS

    comments = iter(range(1000))
    times = times_ms(
        lambda: _do("smb.change", {"share": _CHANGED, "comment": f"Number {next(comments)}"}, user),
        runs=10,
        warm_up=1,
    )
    text = host.machine().samba
    assert text == host.machine().files[PATHS["samba"]] and text.count("[Share ") == SHARES
    how = f"{SHARES} shares, {PEOPLE} people; three plans, two probes, rows, and what the simulator takes"
    show_times("change of a share, all of ours", times, aim=5000, how=how)


def _time_requests(user: User) -> None:
    from django.test import Client

    from accounts import tokens

    _, token = tokens.create(name="bench", scopes=("shares:read",), user=user)
    browser, script = Client(), Client(headers={"Authorization": f"Bearer {token}"})
    browser.force_login(user)
    for what, client, path in (
        ("shares page", browser, "/shares/"),
        ("shares page, filtered", browser, "/shares/?q=data19"),
        ("page of a share", browser, "/shares/smb/Share%20150/"),
        ("page of an export", browser, "/shares/nfs/7/"),
        ("share a folder", browser, "/share/folder/"),
        ("people page", browser, "/people/"),
        ("API: 100 shares", script, "/api/v1/shares/smb/"),
    ):
        answer = client.get(path)
        assert answer.status_code == 200, (path, answer.status_code)
        times = times_ms(lambda client=client, path=path: client.get(path), runs=40)  # type: ignore[misc]
        weight = f"{SHARES} shares, {PEOPLE} people, {len(answer.content) / 1000:.0f} kB"
        show_times(what, times, aim=100, how=f"GET {path}, {weight}, whole stack")


if __name__ == "__main__":
    measure()
