"""All reads in one place: `probe(host)` asks the machine and gives an `Inventory`."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime

import msgspec

from host.base import Host
from host.commands import (
    Command,
    DiskLinks,
    ListUnits,
    LoopFiles,
    Lsblk,
    MdState,
    SharingFiles,
    SharingServices,
    ZfsGet,
    ZpoolGet,
    ZpoolStatus,
)
from host.inventory import HostFacts, Inventory, Naming
from host.keeping.places import is_ours
from host.probe.activity import Traffic, read_traffic
from host.probe.arrays import parse_arrays
from host.probe.conversion import read_boot_notes
from host.probe.datasets import parse_zfs_get
from host.probe.disks import parse_disk_links, parse_lsblk
from host.probe.enclosures import read_enclosures
from host.probe.importable import (
    look_for_pools,
    parse_import_loss,
    parse_zpool_import,
    read_import_loss,
    read_importable,
)
from host.probe.iostat import parse_zpool_iostat, read_iostat
from host.probe.lasting import Lasting
from host.probe.leds import with_leds
from host.probe.mark import mark
from host.probe.md_events import parse_md_events
from host.probe.membership import settle
from host.probe.memory import Memory
from host.probe.moved import read_moved
from host.probe.network import read_machine
from host.probe.people import read_accounts
from host.probe.pools import parse_zpool_get, parse_zpool_status
from host.probe.sharing import parse_served
from host.probe.smart import read_smart
from host.probe.snapshots import list_names, list_snapshots, read_details, read_holds
from host.probe.swap import read_swap
from host.probe.units import claim, parse_list_units, read_burn_in

__all__ = [
    "Lasting", "Memory", "Traffic", "list_names", "list_snapshots", "look_for_pools", "mark",
    "parse_import_loss", "parse_md_events", "parse_zpool_import", "parse_zpool_iostat", "probe",
    "read_burn_in", "read_details", "read_holds", "read_import_loss", "read_importable",
    "read_iostat", "read_smart", "read_traffic",
]  # fmt: skip


def probe(host: Host, *, memory: Memory | None = None) -> Inventory:
    """Everything that plans and pages need, but for snapshots. Raises `HostError`.

    `memory` lets what hardly moves, and what would wake a disk, be asked only once in a while.
    """
    memory = memory or Memory()
    now = datetime.now(UTC)
    reads: tuple[Command, ...] = (
        DiskLinks(), Lsblk(), ZpoolGet(), ZpoolStatus(), ZfsGet(), ListUnits(), SharingFiles(),
        SharingServices(), MdState(), LoopFiles(),
    )  # fmt: skip
    with ThreadPoolExecutor(max_workers=len(reads) + 6) as together:
        accounts = together.submit(read_accounts, host, memory.people)  # first: with many people the longest
        enclosures = together.submit(read_enclosures, host)
        told = together.submit(read_machine, host)
        swap, moved = together.submit(read_swap, host), together.submit(read_moved, host)
        notes = together.submit(read_boot_notes, host)
        answers = together.map(lambda read: host.run(read).stdout, reads)
        links, devices, settings, status, datasets, listed, files, services, md, loops = answers
    tree, named = parse_lsblk(devices, loops), parse_disk_links(links)
    disks, pools = settle(
        tree,
        named,
        parse_zpool_status(status, parse_zpool_get(settings)),
        host,
        memory.labels,
    )
    units = parse_list_units(listed)
    naming, network = told.result()
    known = memory.folders.settle(host, memory.datasets(host, parse_zfs_get(datasets), pools), pools)
    return Inventory(
        as_of=now.isoformat(timespec="milliseconds"),
        facts=_called(memory.lasting.facts(host, pools), naming),
        disks=with_leds(claim(disks, units), memory.leds(host, disks)),
        pools=tuple(memory.damaged(host, pool) for pool in pools),
        datasets=tuple(one for one in known if not is_ours(one.name)),
        keeping=tuple(one for one in known if is_ours(one.name)),
        arrays=parse_arrays(md, tree, named, disks),
        boot=notes.result(),
        enclosures=enclosures.result(),
        units=units,
        served=parse_served(files, services),
        accounts=accounts.result(),
        naming=msgspec.structs.replace(naming, synchronized=memory.lasting.clock(host)),
        network=network,
        swap=swap.result(),
        moved=moved.result(),
    )


def _called(facts: HostFacts, naming: Naming) -> HostFacts:
    """Facts are remembered for a while; a new name counts at once."""
    return msgspec.structs.replace(facts, name=naming.name or facts.name)
