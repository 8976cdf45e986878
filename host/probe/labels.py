"""Whether a ZFS label stands for data that a pool still owns."""

from __future__ import annotations

import re

from host.base import Host
from host.commands import ZdbLabel

_STATE = re.compile(r"^\s+state: (\d+)$", re.MULTILINE)
# pool_state_t in OpenZFS' sys/fs/zfs.h: DESTROYED; SPARE and L2CACHE, which name no pool and hold no data
# that could be lost.
_NOBODYS = {"2", "3", "4"}


class Labels:
    """Remembers which labels nobody needs, by device link and pool guid.

    blkid shows those of destroyed pools, spares and caches like those of exported pools, and reading a label
    wakes the disk, so each is read once. A pool that is seen imported is forgotten, since it may be destroyed
    next.
    """

    def __init__(self) -> None:
        self._nobodys: dict[tuple[str, str], bool] = {}

    def forget(self, pool_guids: set[str]) -> None:
        """Drop what is known of these pools."""
        self._nobodys = {key: known for key, known in self._nobodys.items() if key[1] not in pool_guids}

    def nobodys(self, host: Host, link: str, pool_guid: str) -> bool:
        """True where the label on `link` is of a destroyed pool, of a spare or of a cache."""
        key = (link, pool_guid)
        if key not in self._nobodys:
            self._nobodys[key] = parse_zdb_label(host.run(ZdbLabel(device=link)).stdout) in _NOBODYS
        return self._nobodys[key]


def parse_zdb_label(text: str) -> str | None:
    """The pool's state as the first label has it (a number as text), or None without a label."""
    found = _STATE.search(text)
    return found[1] if found else None
