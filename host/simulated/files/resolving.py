"""Where paths of a simulated machine lead: through links of the system's own disk and of file systems."""

from __future__ import annotations

from posixpath import join, normpath

from host.files.names import shown
from host.simulated.datasets.file_tree import tree
from host.simulated.datasets.values import mountpoint
from host.simulated.state import Machine

_MOST_LINKS = 40  # as Linux follows


def resolved(machine: Machine, path: str) -> str:
    """`path` without symbolic links, as realpath(3) has it; what is not there stays as it is."""
    for _ in range(_MOST_LINKS):
        parts = path.strip("/").split("/")
        ways = (("/" + "/".join(parts[:count]), parts[count:]) for count in range(1, len(parts) + 1))
        found = next(((way, to, rest) for way, rest in ways if (to := _link(machine, way))), None)
        if found is None:
            return path
        way, to, rest = found
        path = normpath(join(way.rpartition("/")[0] or "/", to, *rest))
    return path


def _link(machine: Machine, path: str) -> str | None:
    if path in machine.folder_links:
        return machine.folder_links[path]
    around = [
        (place, pool, one)
        for pool in machine.pools.values()
        for one in pool.datasets.values()
        if one.mounted and path.startswith(f"{(place := mountpoint(machine, one)).rstrip('/')}/")
    ]
    if not around:
        return None
    place, pool, dataset = max(around, key=lambda each: len(each[0]))
    state = tree(pool, dataset).get(shown(path.removeprefix(place).strip("/").encode()))
    return state.leads_to if state is not None and state.kind == "link" else None
