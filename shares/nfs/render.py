"""Our file of exports(5) and of nfs.conf(5), from the rows: the same rows always make the same files."""

from __future__ import annotations

from host.inventory import Inventory, NfsClient, NfsShare, Sharing
from shares.sealing import sealed
from shares.serving import below, standing

_SQUASH = {"root": "root_squash", "all": "all_squash", "none": "no_root_squash"}


def render(sharing: Sharing, inventory: Inventory) -> str:
    """A line for each folder that can be exported now; a file system below has a line of its own, with the
    clients of the nearest export above it."""
    lines: dict[str, str] = {}
    for share in sorted(sharing.nfs, key=lambda one: -one.dataset.count("/")):
        found = standing(share, inventory)
        if found.place is not None:
            clients = " ".join(_client(client) for client in share.clients)
            for place in below(share, inventory):
                lines.setdefault(place, clients)
            lines[found.place] = clients
    return sealed("".join(f'"{place}" {lines[place]}\n' for place in sorted(lines)))


def render_versions(sharing: Sharing) -> str:
    """Which versions of the protocol are served: 4, and 3 where somebody asked for it."""
    return sealed(f"[nfsd]\nvers3={'y' if sharing.settings.nfs3 else 'n'}\n")


def exported(sharing: Sharing, inventory: Inventory) -> tuple[str, ...]:
    """The folders that are exported now."""
    places: set[str] = set()
    for share in sharing.nfs:
        found = standing(share, inventory)
        if found.place is not None:
            places |= {found.place, *below(share, inventory)}
    return tuple(sorted(places))


def mount_line(share: NfsShare, place: str, machine: str) -> str:
    """What somebody types on a client. NFS 4 knows the folder by the path that it has on the NAS."""
    quoted = place if " " not in place else f"'{place}'"
    name = share.dataset.rpartition("/")[2]
    return f"mount -t nfs {machine}:{quoted} /mnt/{name}"


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
