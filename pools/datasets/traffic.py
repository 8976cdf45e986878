"""What each dataset is read and written, a minute at a time, and how much it holds, day by day."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from datetime import datetime

from host.inventory import Dataset, Inventory
from host.kernel.files import KernelFiles
from host.kernel.objsets import ObjsetCounters, read_objset
from host.kernel.system import read_uptime
from jobs.series.values import RECENT_KEPT_S, Point

READ, WRITTEN, USED = "dataset.read_bytes", "dataset.write_bytes", "dataset.used_bytes"
COMMITS = "pool.commits"
# A series takes 74 kB of memory: so many datasets are followed, those that did something last.
_FOLLOWED = 100
_MOST = 2000  # that are read at all
_LEAST_BYTES = 64 << 10  # in a minute: what a directory listing or an access time takes is no traffic
_LONGEST_S = 300.0


class Traffic:
    """What the last round counted, in the one worker."""

    def __init__(self) -> None:
        self._uptime = 0.0
        self._last: dict[str, ObjsetCounters] = {}  # by guid
        self._active: dict[str, float] = {}  # when each last did something (uptime), the oldest first
        self._day = ""

    def points(self, inventory: Inventory, files: KernelFiles, now: datetime) -> list[Point]:
        """Of this minute: bytes a second of datasets that did something within a day, so that one that rests
        has its zeros, and commits a second of each pool; and once a day what each dataset holds."""
        datasets = inventory.datasets[:_MOST]
        return [*self._traffic(inventory, datasets, files, now), *self._used(datasets, now)]

    def _traffic(
        self, inventory: Inventory, datasets: tuple[Dataset, ...], files: KernelFiles, now: datetime
    ) -> list[Point]:
        uptime, before = read_uptime(files), self._last
        seconds, self._uptime = uptime - self._uptime, uptime
        self._last = {
            one.guid: found for one in datasets
            if (found := read_objset(files, one.name, one.number("objsetid"))) is not None
        }  # fmt: skip
        if not 0 < seconds <= _LONGEST_S:
            return []
        since = {
            guid: (old, found) for guid, found in self._last.items()
            # One that went back was mounted anew.
            if (old := before.get(guid)) is not None and all(a >= b for a, b in zip(found, old, strict=True))
        }  # fmt: skip
        moved = {
            guid: (found.read_bytes - old.read_bytes, found.written_bytes - old.written_bytes)
            for guid, (old, found) in since.items()
        }
        self._follow(moved, uptime)
        time = int(now.timestamp())
        return [
            *(
                Point(f"{kind}:{guid}", time, bytes_ / seconds)
                for guid in self._active
                if guid in moved
                for kind, bytes_ in zip((READ, WRITTEN), moved[guid], strict=True)
            ),
            *(
                Point(f"{COMMITS}:{pool}", time, commits / seconds)
                for pool, commits in _commits(inventory, since).items()
            ),
        ]

    def _follow(self, moved: dict[str, tuple[int, int]], uptime: float) -> None:
        for guid, both in sorted(moved.items(), key=lambda one: sum(one[1])):
            if sum(both) >= _LEAST_BYTES:
                self._active.pop(guid, None)
                self._active[guid] = uptime
        recent = [(guid, at) for guid, at in self._active.items() if at > uptime - RECENT_KEPT_S]
        self._active = dict(recent[-_FOLLOWED:])

    def _used(self, datasets: tuple[Dataset, ...], now: datetime) -> Iterator[Point]:
        today = f"{now:%Y-%m-%d}"
        if today == self._day or not datasets:
            return
        self._day = today
        for one in datasets:
            if one.value("used") is not None:
                yield Point(f"{USED}:{one.guid}", int(now.timestamp()), one.number("used"))


def _commits(inventory: Inventory, since: dict[str, tuple[ObjsetCounters, ObjsetCounters]]) -> dict[str, int]:
    """How many each pool had, by its guid; without those of which no dataset is in use."""
    guids = {pool.name: pool.guid for pool in inventory.pools}
    found: Counter[str] = Counter()
    for one in inventory.datasets:
        if one.guid in since and one.pool in guids:
            old, new = since[one.guid]
            found[guids[one.pool]] += new.commits - old.commits
    return dict(found)
