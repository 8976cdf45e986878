"""Whether a ZFS label belongs to an exported pool or to one that was destroyed."""

from __future__ import annotations

import re

from host.base import Host
from host.commands import ZdbLabel

_STATE = re.compile(r"^\s+state: (\d+)$", re.MULTILINE)
_DESTROYED = "2"  # POOL_STATE_DESTROYED in OpenZFS' sys/fs/zfs.h


class Labels:
    """Remembers which labels are of destroyed pools, by device link and pool guid.

    blkid shows both kinds alike, and reading a label wakes the disk, so each is read once. A pool that
    is seen imported is forgotten, since it may be destroyed next.
    """

    def __init__(self) -> None:
        self._destroyed: dict[tuple[str, str], bool] = {}

    def forget(self, pool_guids: set[str]) -> None:
        """Drop what is known of these pools."""
        self._destroyed = {key: known for key, known in self._destroyed.items() if key[1] not in pool_guids}

    def destroyed(self, host: Host, link: str, pool_guid: str) -> bool:
        """True where the label on `link` is of a destroyed pool."""
        key = (link, pool_guid)
        if key not in self._destroyed:
            self._destroyed[key] = parse_zdb_label(host.run(ZdbLabel(device=link)).stdout) == _DESTROYED
        return self._destroyed[key]


def parse_zdb_label(text: str) -> str | None:
    """The pool's state as the first label has it (a number as text), or None without a label."""
    found = _STATE.search(text)
    return found[1] if found else None
