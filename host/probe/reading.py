"""The reads of one probe, family by family, in parallel."""

from __future__ import annotations

from concurrent.futures import Future
from datetime import datetime
from typing import Any, NamedTuple

from host.base import Host
from host.commands.disks.md import MdState
from host.commands.facts import DiskLinks, LoopFiles, Lsblk
from host.commands.pools.zpool import ZpoolGet, ZpoolStatus
from host.commands.shares.sharing import SharingFiles, SharingServices
from host.commands.units import ListUnits
from host.families import Families, Family
from host.inventory import (
    Accounts,
    ArcLimit,
    BootNotes,
    Dataset,
    Enclosure,
    MovedState,
    Pool,
    Swap,
    Unit,
    leaves,
)
from host.probe.cache import Members, ProbeCache
from host.probe.datasets.datasets import read_datasets
from host.probe.disks.disks import Links, parse_disk_links, parse_lsblk
from host.probe.disks.enclosures import read_enclosures
from host.probe.network import NAMES, NETWORK, Found, parse_machine
from host.probe.pools.pools import parse_zpool_get, parse_zpool_status
from host.probe.system.arc import read_arc_limit
from host.probe.system.conversion import read_boot_notes
from host.probe.system.moved import read_moved
from host.probe.system.swap import read_swap
from host.probe.units import parse_list_units


class Answers(NamedTuple):
    """The answers, and the families that were read for them."""

    anew: Families
    as_of: datetime  # of the family that was read the longest ago
    accounts: Future[Accounts]
    links: Future[Links]
    devices: Future[str]
    loops: Future[str]
    md: Future[str]
    enclosures: Future[tuple[Enclosure, ...]]
    units: Future[tuple[Unit, ...]]
    settings: Future[dict[str, dict[str, str]]]
    status: Future[str]
    datasets: Future[tuple[Dataset, ...]]
    files: Future[str]
    services: Future[str]
    names: tuple[Future[str], ...]
    network: tuple[Future[str], ...]
    swap: Future[Swap]
    arc: Future[ArcLimit]
    moved: Future[MovedState]
    boot: Future[BootNotes]

    def tree(self) -> list[dict[str, Any]]:
        """The block devices, and what the kernel has built on them."""
        return parse_lsblk(self.devices.result(), self.loops.result())

    def pools(self) -> tuple[Pool, ...]:
        """The pools; their leaves do not know their disks yet."""
        return parse_zpool_status(self.status.result(), self.settings.result())

    def machine(self) -> Found:
        """Its names and its network."""
        return parse_machine(tuple(said.result() for said in (*self.names, *self.network)))


def read_answers(host: Host, cache: ProbeCache, fresh: Families) -> Answers:
    """Read `fresh`, and what `cache` lacks or has too old. Raises `HostError`.

    Where datasets lie in other pools than were known, the pools are read again, and where those have other
    members than when the disks were read, the disks: each names the other.
    """
    answers = _ask(host, cache, fresh)
    if Family.POOLS not in answers.anew and _with_datasets(answers) != _answering(answers.pools()):
        answers = _ask(host, cache, frozenset({Family.POOLS}))
    members = _members(answers.pools())
    if Family.DISKS not in answers.anew and cache.members != members:
        answers = _ask(host, cache, frozenset({Family.DISKS}))
    if Family.DISKS in answers.anew:
        cache.members = members
    return answers


def _ask(host: Host, cache: ProbeCache, fresh: Families) -> Answers:
    with cache.known.reading(host, fresh) as now:
        return Answers(
            anew=now.anew,
            as_of=now.as_of,
            accounts=now.ask(Family.PEOPLE, cache.accounts),  # first: with many people the longest
            links=now.parsed(Family.DISKS, DiskLinks(), parse_disk_links),
            devices=now.parsed(Family.DISKS, Lsblk(), str),
            loops=now.parsed(Family.DISKS, LoopFiles(), str),
            md=now.parsed(Family.DISKS, MdState(), str),
            enclosures=now.ask(Family.DISKS, read_enclosures),
            units=now.parsed(Family.DISKS, ListUnits(), parse_list_units),
            settings=now.parsed(Family.POOLS, ZpoolGet(), parse_zpool_get),
            status=now.parsed(Family.POOLS, ZpoolStatus(), str),
            datasets=now.ask(Family.DATASETS, read_datasets),
            files=now.parsed(Family.SHARES, SharingFiles(), str),
            services=now.parsed(Family.SHARES, SharingServices(), str),
            names=tuple(now.said(Family.NAMES, command) for command in NAMES),
            network=tuple(now.said(Family.NETWORK, command) for command in NETWORK),
            swap=now.ask(Family.SYSTEM, read_swap),
            arc=now.ask(Family.SYSTEM, read_arc_limit),
            moved=now.ask(Family.SYSTEM, read_moved),
            boot=now.ask(Family.SYSTEM, read_boot_notes),
        )


def _with_datasets(answers: Answers) -> set[str]:
    return {one.pool for one in answers.datasets.result()}


def _answering(pools: tuple[Pool, ...]) -> set[str]:
    """Those of which zfs lists the datasets: it passes over a suspended one."""
    return {pool.name for pool in pools if not pool.suspended}


def _members(pools: tuple[Pool, ...]) -> Members:
    return frozenset(
        (pool.guid, leaf.path, leaf.state) for pool in pools for vdev in pool.vdevs for leaf in leaves(vdev)
    )
