"""What to do about an incident or finding: words, and an operation with its request or a page, if any."""

from __future__ import annotations

import shlex
from typing import Any
from urllib.parse import quote

import msgspec

from host.inventory import Disk


class Remedy(msgspec.Struct, frozen=True, kw_only=True):
    """One thing to do. `operation` and `request` are what a plan is made of; `page` is an address of the
    console that asks for more first. `commands` are what to type where no operation can help."""

    words: str
    operation: str | None = None
    request: dict[str, Any] = {}
    page: str | None = None
    label: str = ""  # of the button that leads to `page`
    commands: tuple[str, ...] = ()


def as_root(*words: str) -> str:
    """What to type in a shell: names of other machines' pools and folders may mean something to it."""
    return shlex.join(("sudo", *words))


def locate(disk: Disk) -> Remedy:
    """Light up the disk's bay; without a bay the disk itself."""
    place = f"bay {disk.bay}" if disk.bay else disk.serial or disk.id
    request = {"disk": disk.id, "serial": disk.serial, "bay": disk.bay, "on": True, "seconds": 300}
    return Remedy(words=f"Light up {place}.", operation="disk.locate", request=request)


def replace(pool: str, vdev_guid: str, words: str) -> Remedy:
    """The replace assistant with the old disk chosen."""
    return of_pool(pool, words, "Replace it", f"replace/?vdev={vdev_guid}")


def of_pool(pool: str, words: str, label: str, below: str = "") -> Remedy:
    """The pool's page, or one `below` it."""
    return Remedy(words=words, page=f"/pools/{quote(pool, safe='')}/{below}", label=label)


def clear(pool: str, vdev_guid: str | None, words: str) -> Remedy:
    """Clear error counters, or let a suspended pool try again."""
    request: dict[str, Any] = {"name": pool}
    if vdev_guid is not None:
        request["vdev"] = vdev_guid
    return Remedy(words=words, operation="pool.clear", request=request)


def online(pool: str, vdev_guid: str, words: str) -> Remedy:
    """Take a member back."""
    return Remedy(words=words, operation="pool.online", request={"name": pool, "vdev": vdev_guid})


def scrub(pool: str, words: str) -> Remedy:
    """Read everything and repair what is wrong."""
    return Remedy(words=words, operation="pool.scrub", request={"name": pool, "action": "start"})
