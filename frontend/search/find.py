"""The search: any object of the machine by any of its names."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from frontend.units import binary
from host.inventory import Disk, Inventory
from pools.links import dataset_href, pool_href
from shares.links import export_href, group_href, person_href, share_href

_MOST = 12
_PAGES = (
    ("Overview", "layout-dashboard", "/"),
    ("Disks", "hard-drive", "/disks/"),
    ("Pools", "database", "/pools/"),
    ("Create a pool", "plus", "/create/pool/"),
    ("Datasets", "folder-tree", "/datasets/"),
    ("Create a dataset", "plus", "/create/dataset/"),
    ("Shares", "share-2", "/shares/"),
    ("Share a folder", "plus", "/share/folder/"),
    ("People and groups", "users", "/people/"),
    ("Jobs", "list-checks", "/jobs/"),
    ("Alerts", "bell", "/alerts/"),
    ("Doctor", "stethoscope", "/doctor/"),
    ("Settings and tokens", "settings", "/settings/"),
    ("Settings for all shares", "settings", "/settings/shares/"),
    ("Accounts of this console", "users", "/settings/accounts/"),
)


class Hit(msgspec.Struct, frozen=True, kw_only=True):
    """Something that was found."""

    icon: str
    title: str
    detail: str
    href: str


def find(text: str, inventory: Inventory | None) -> tuple[Hit, ...]:
    """What matches all words of `text`; names that start with it come first. At most 12."""
    words = text.lower().split()
    if not words:
        return ()
    found: list[tuple[int, int, Hit]] = []
    for place, (names, hit) in enumerate(_things(inventory)):
        lower = [name.lower() for name in names]
        joined = " ".join(lower)
        if all(word in joined for word in words):
            rank = 0 if words[0] in lower else 1 if any(n.startswith(words[0]) for n in lower) else 2
            found.append((rank, place, hit))
    return tuple(hit for _, _, hit in sorted(found, key=lambda entry: entry[:2])[:_MOST])


def _things(inventory: Inventory | None) -> Iterator[tuple[list[str], Hit]]:
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
    for title, icon, href in _PAGES:
        yield [title], Hit(icon=icon, title=title, detail="page", href=href)


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
