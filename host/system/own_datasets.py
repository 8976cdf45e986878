"""The console's own datasets, one level below the roots of pools: in no list, and for nobody but programs.

What lies under such a name is hidden, and some of it is destroyed without being named. So no dataset that
holds anything else is ever given one, and root sees to that again whoever asks (`host.commands`).
"""

from __future__ import annotations

from collections.abc import Mapping

DATASET = ".nasweb"  # backups of the settings; mounted for nobody but the program that writes
STATE = ".nasweb-state"  # /var and /home, where the owner moved them there (host.programs.moved_state)
BENCHMARK = ".nasweb-benchmark"  # there while a benchmark goes on (host.commands.pools.benchmark)
MADE_BY_BENCHMARK = "nasweb:benchmark"  # its own, "on", from its first moment: else nobody destroys it

# Of the dataset that holds copies: mounted by nobody else, in no policy, and within bounds.
SHELF = {
    "mountpoint": "legacy", "readonly": "off", "copies": "2", "quota": str(2 << 30), "nasweb:policy": "off",
}  # fmt: skip
NOBODYS = {"canmount": "off", "mountpoint": "none", "nasweb:policy": "off"}
# Whatever the pool's root says: a system's own folders need all of it.
SYSTEMS = {
    "mountpoint": "legacy", "nasweb:policy": "off", "readonly": "off", "exec": "on", "setuid": "on",
    "devices": "on", "atime": "off", "acltype": "posix", "xattr": "sa", "casesensitivity": "sensitive",
    "normalization": "none", "utf8only": "off",
}  # fmt: skip
_ROOM = "reservation"  # how much is reserved depends on the machine
_MADE = {DATASET: SHELF, STATE: NOBODYS, f"{STATE}/var": SYSTEMS, f"{STATE}/home": SYSTEMS}


def of_pool(pool: str) -> str:
    """The dataset of a pool that holds the copies."""
    return f"{pool}/{DATASET}"


def is_ours(dataset: str) -> bool:
    """Whether it is such a dataset, that of /var and /home or that of a benchmark, or lies in one."""
    return dataset.split("/")[1:2] in ([DATASET], [STATE], [BENCHMARK])


def check_others(*names: str) -> None:
    """Raises `ValueError` where one of these names is the console's own."""
    for name in names:
        if is_ours(name):
            raise _own(name)


def check_made(name: str, properties: Mapping[str, str], *, volume: bool) -> None:
    """Raises `ValueError` for a name of the console's own, unless it is made as the console makes it."""
    if not is_ours(name):
        return
    given = {one: value for one, value in properties.items() if one != _ROOM}
    if volume or given != _MADE.get(name.partition("/")[2]):
        raise _own(name)


def _own(name: str) -> ValueError:
    return ValueError(f"{name} is the console's own: nothing else is called so.")
