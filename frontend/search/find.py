"""The search: any object of the machine by any of its names."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from frontend.search.actions import of_objects
from frontend.search.hit import Hit
from frontend.search.pages import ENTRIES
from frontend.units import binary
from host.inventory import Disk, Inventory
from pools.links import dataset_href, pool_href
from shares.links import export_href, group_href, person_href, share_href

_MOST = 12


def find(text: str, inventory: Inventory | None, user: Any) -> tuple[Hit, ...]:
    """What matches all words of `text`, each by the start of a word of its names, in the order of `_rank`.

    At most 12; pages and actions that the role of `user` does not allow are left out.
    """
    words = text.lower().split()
    if not words:
        return ()
    found: list[tuple[int, int, Hit]] = []
    for place, (names, hit) in enumerate(_things(inventory, user)):
        lower = [name.lower() for name in names]
        if (rank := _rank(words, lower)) is not None:
            found.append((rank, place, hit))
    return tuple(hit for _, _, hit in sorted(found, key=lambda entry: entry[:2])[:_MOST])


def _rank(words: list[str], names: list[str]) -> int | None:
    """0 where the whole name was typed, then where it starts so, then by its own words, then by others."""
    first, joined = names[0], " ".join(names)
    parts = re.split(r"[\s/@·._-]+", joined)
    if not all(word in joined if len(word) > 2 else any(p.startswith(word) for p in parts) for word in words):
        return None
    typed = " ".join(words)
    if typed in names:
        return 0
    if first.startswith(typed):
        return 1
    return 2 if all(word in first for word in words) else 3


def _things(inventory: Inventory | None, user: Any) -> Iterator[tuple[list[str], Hit]]:
    """First what a name is typed for: objects. The first of the names is what the hit is called."""
    if inventory is not None:
        for pool in inventory.pools:
            hit = Hit(icon="database", title=pool.name, detail="pool", href=pool_href(pool.name))
            yield [pool.name, "pool"], hit
        for disk in inventory.disks:
            yield _names(disk), _hit(disk)
        for dataset in inventory.datasets:
            hit = Hit(icon="folder", title=dataset.name, detail=dataset.kind, href=dataset_href(dataset.name))
            yield [dataset.name, dataset.name.rpartition("/")[2]], hit
        yield from _shares(inventory)
        yield from _people(inventory)
    for entry in ENTRIES:
        if not entry.scope or user.has_perm(entry.scope):
            hit = Hit(icon=entry.icon, title=entry.title, detail=entry.kind, href=entry.href)
            yield [entry.title, *entry.words.split()], hit
    if inventory is not None:
        yield from of_objects(inventory, user)


def _shares(inventory: Inventory) -> Iterator[tuple[list[str], Hit]]:
    for share in inventory.sharing.smb:
        hit = Hit(icon="share-2", title=share.name, detail="share of SMB", href=share_href(share.name))
        yield [share.name, "share", "smb"], hit
    for export in inventory.sharing.nfs:
        hit = Hit(icon="share-2", title=export.dataset, detail="export of NFS", href=export_href(export.id))
        yield [export.dataset, export.dataset.rpartition("/")[2], "export", "nfs"], hit


def _people(inventory: Inventory) -> Iterator[tuple[list[str], Hit]]:
    for person in inventory.accounts.people:
        title = f"{person.name} · {person.full_name}" if person.full_name else person.name
        hit = Hit(icon="user", title=title, detail="person", href=person_href(person.name))
        yield [person.name, *person.full_name.split(), "person"], hit
    for group in inventory.accounts.groups:
        hit = Hit(icon="users", title=group.name, detail="group", href=group_href(group.name))
        yield [group.name, "group"], hit


def _names(disk: Disk) -> list[str]:
    known = (disk.bay, disk.serial, disk.model, disk.wwn, disk.path.rpartition("/")[2], disk.id)
    return ["disk", "bay", *(name for name in known if name)]


def _hit(disk: Disk) -> Hit:
    where = f"bay {disk.bay}" if disk.bay else disk.path
    return Hit(
        icon="hard-drive",
        title=f"{where} · {disk.model}",
        detail=f"{binary(disk.size_bytes)}, {disk.serial or 'no serial'}",
        href=f"/disks/{disk.id}/",
    )
