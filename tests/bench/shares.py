"""Pages and API with 200 shares and 500 people on a simulated machine, in a process of its own."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from tests.bench.timing import show_times, times_ms

if TYPE_CHECKING:
    from host.inventory import Inventory

SHARES, PEOPLE = 200, 500


def measure() -> None:
    """Set up a console in a temporary folder and time it through Django's own client."""
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
        _time_requests()


def _crowd(inventory: Inventory) -> Inventory:
    """The machine with a dataset for each share, served, and exports of every tenth."""
    import msgspec

    from host.inventory import Accounts, Group, NfsClient, NfsShare, Person, Sharing, SmbShare
    from host.inventory.shares import Served
    from shares.applying import texts
    from tests import made

    people = tuple(
        Person(name=f"person{number:03}", uid=30_000 + number, full_name=f"Person {number}", samba="enabled")
        for number in range(PEOPLE)
    )
    names = [one.name for one in people]
    groups = tuple(
        Group(name=f"team{number}", gid=35_000 + number, members=tuple(names[number::20]))
        for number in range(20)
    )
    datasets = tuple(made.dataset(f"tank/data{number:03}", mounted="yes") for number in range(SHARES))
    smb = tuple(
        SmbShare(
            id=number + 1, name=f"Share {number:03}", guid=one.guid, dataset=one.name,
            read=(f"@team{number % 20}",), write=tuple(names[number : number + 4]),
        )
        for number, one in enumerate(datasets)
    )  # fmt: skip
    nfs = tuple(
        NfsShare(id=number + 1, guid=one.guid, dataset=one.name, clients=(NfsClient(host="10.0.0.0/8"),))
        for number, one in enumerate(datasets[::10])
    )
    crowd = msgspec.structs.replace(
        inventory,
        datasets=(made.dataset("tank", mounted="yes"), *datasets),
        accounts=Accounts(people=people, groups=groups),
        sharing=Sharing(smb=smb, nfs=nfs),
    )
    served = Served(
        files=texts(crowd.sharing, crowd),
        services={"smbd": "active", "nfs-server": "active", "wsdd2": "active", "avahi-daemon": "active"},
        exported=tuple(f"/mnt/{one.name}" for one in datasets[::10]),
    )
    return msgspec.structs.replace(crowd, served=served)


def _time_requests() -> None:
    from django.test import Client

    from jobs import cache, engine
    from jobs.operation import the_host
    from nasweb.accounts import tokens
    from nasweb.accounts.models import User
    from nasweb.accounts.roles import Role

    engine.refresh(the_host())
    inventory = cache.current()
    assert inventory is not None
    cache.keep(_crowd(inventory))
    user = User.objects.create_user("bench", role=Role.ADMIN)
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
