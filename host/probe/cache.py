"""What one probe may leave to the next."""

from __future__ import annotations

import time

import msgspec

from host.base import Host
from host.inventory import Accounts, Dataset, Disk, Pool
from host.probe.datasets.folders import Folders
from host.probe.datasets.received import Received
from host.probe.disks.labels import Labels
from host.probe.disks.leds import Leds, could_have_led, read_leds
from host.probe.known import Known
from host.probe.lasting import LASTS_S, Lasting
from host.probe.pools.pools import read_damaged
from host.probe.shares.people import People, read_accounts

Members = frozenset[tuple[str, str | None, str]]  # guid of a pool, path and state of a leaf


class ProbeCache:
    """Remembers label states (reading one wakes a disk), the damaged files of pools (to name them reads from
    the pool), what is in the folders of file systems that are not mounted, what Samba knows of people, the
    datasets of pools that stand still, what datasets received and, for five minutes, what hardly moves:
    facts of the machine, and which disks have a light that ledctl switches. For seconds it knows all that
    was read (`known`), and the `members` that pools had when the disks were.

    `lasting` and `known` are what is known of this machine already."""

    def __init__(self, lasting: Lasting | None = None, known: Known | None = None) -> None:
        self.lasting = lasting or Lasting()
        self.known = known or Known()
        self.members: Members | None = None
        self.labels = Labels()
        self.folders = Folders()
        self.people = People()
        self._received = Received()
        self._datasets: dict[str, tuple[Dataset, ...]] = {}
        self._damaged: dict[str, tuple[int, tuple[str, ...]]] = {}  # by the guid of a pool
        self._leds: tuple[float, set[tuple[str, str]], Leds] | None = None

    def accounts(self, host: Host) -> Accounts:
        """The people and groups of the machine. Raises `HostError`."""
        return read_accounts(host, self.people)

    def datasets(self, host: Host, seen: tuple[Dataset, ...], pools: tuple[Pool, ...]) -> tuple[Dataset, ...]:
        """`seen` with what they received, and those of suspended pools as they were before: zfs passes over
        them without a word. Raises `HostError`."""
        seen = self._received.settle(host, seen)
        last = self._datasets
        self._datasets = {pool.guid: tuple(one for one in seen if one.pool == pool.name) for pool in pools}
        for pool in pools:
            if pool.suspended and not self._datasets[pool.guid]:
                self._datasets[pool.guid] = last.get(pool.guid, ())
                seen += self._datasets[pool.guid]
        return seen

    def damaged(self, host: Host, pool: Pool) -> Pool:
        """The pool with its damaged files, asked anew when their number has changed. A suspended pool is
        asked once it answers again. Raises `HostError`."""
        count, files = self._damaged.pop(pool.guid, (0, ()))
        if not pool.data_errors:
            return pool
        if pool.suspended and (count != pool.data_errors or not files):
            return pool
        if count != pool.data_errors:
            files = read_damaged(host, pool).damaged_files
        self._damaged[pool.guid] = (pool.data_errors, files)
        return msgspec.structs.replace(pool, damaged_files=files)

    def leds(self, host: Host, disks: tuple[Disk, ...]) -> Leds:
        """The lights of `disks`, asked anew when that is old or when one of these disks came or went.

        Where no disk could have one, nothing is asked. Raises `HostError`.
        """
        able = {(disk.path, disk.id) for disk in disks if could_have_led(disk)}
        if not able:
            return {}
        if self._leds is None or self._leds[1] != able or time.monotonic() - self._leds[0] > LASTS_S:
            self._leds = (time.monotonic(), able, read_leds(host))
        return self._leds[2]
