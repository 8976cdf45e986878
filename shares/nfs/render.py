"""Our file of exports(5) and of nfs.conf(5), from the rows: the same rows always make the same files."""

from __future__ import annotations

import re

from host.contents.clients import is_name
from host.inventory import Inventory, NfsClient, NfsShare, Sharing
from shares.sealing import sealed
from shares.serving import below, dataset_of, standing

_HOST = re.compile(r" ([A-Za-z0-9.-]+)\(")
_SQUASH = {"root": "root_squash", "all": "all_squash", "none": "no_root_squash"}


def render(sharing: Sharing, inventory: Inventory) -> str:
    """A line for each folder that can be exported now; a file system below has a line of its own, with the
    clients of the nearest export above it."""
    lines = (
        f'"{place}" {" ".join(_client(client) for client in share.clients)}\n'
        for place, share in _served(sharing, inventory)
    )
    return sealed("".join(lines))


def render_versions(sharing: Sharing) -> str:
    """Which versions of the protocol are served: 4, and 3 where somebody asked for it."""
    return sealed(f"[nfsd]\nvers3={'y' if sharing.settings.nfs3 else 'n'}\n")


def exported(sharing: Sharing, inventory: Inventory) -> tuple[str, ...]:
    """The folders that are exported now."""
    return tuple(place for place, _ in _served(sharing, inventory))


def surely_exported(sharing: Sharing, inventory: Inventory, known: frozenset[str]) -> tuple[str, ...]:
    """Those that the NFS server has to export whatever resolves: a name of `known` alone may lead nowhere."""
    return tuple(
        place
        for place, share in _served(sharing, inventory)
        if not known.issuperset(client.host for client in share.clients)
    )


def names(text: str) -> frozenset[str]:
    """The names of hosts in a file that we wrote; addresses and networks are none."""
    return frozenset(host for host in _HOST.findall(text) if is_name(host))


def mount_line(share: NfsShare, place: str, machine: str) -> str:
    """What somebody types on a client. NFS 4 knows the folder by the path that it has on the NAS."""
    quoted = place if " " not in place else f"'{place}'"
    name = share.dataset.rpartition("/")[2]
    return f"mount -t nfs {machine}:{quoted} /mnt/{name}"


def _served(sharing: Sharing, inventory: Inventory) -> list[tuple[str, NfsShare]]:
    """Each folder that is exported now, in order, with the export that decides about it: the nearest.

    One that is off or cannot be served decides too: its folders are nobody's, not those of the clients of the
    one above.
    """
    nearest: dict[str, NfsShare | None] = {}
    for share in sorted(sharing.nfs, key=lambda one: -one.dataset.count("/")):
        found = dataset_of(share, inventory)
        if found is not None:
            served = share if standing(share, inventory).place is not None else None
            for place in (found.value("mountpoint") or "", *below(share, inventory)):
                nearest.setdefault(place, served)
    return [(place, share) for place, share in sorted(nearest.items()) if share is not None]


def _client(client: NfsClient) -> str:
    # mountpoint: should the file system be gone, the empty folder beneath is not exported in its place.
    options = (
        "ro" if client.read_only else "rw",
        "sync",
        "no_subtree_check",
        "mountpoint",
        _SQUASH[client.squash],
        f"sec={':'.join(client.security)}",
    )
    return f"{client.host}({','.join(options)})"
