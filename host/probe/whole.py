"""All reads in one place: `probe(host)` asks the machine and gives an `Inventory`."""

from __future__ import annotations

import msgspec

from host.base import Host
from host.families import EVERYTHING, Families
from host.inventory import HostFacts, Inventory, Naming
from host.keeping.places import is_ours
from host.probe.disks.arrays import parse_arrays
from host.probe.disks.leds import with_leds
from host.probe.membership import settle
from host.probe.memory import Memory
from host.probe.reading import look
from host.probe.shares.sharing import parse_served
from host.probe.units import claim


def probe(host: Host, *, memory: Memory | None = None, fresh: Families = EVERYTHING) -> Inventory:
    """Everything that plans and pages need, but for snapshots. Raises `HostError`.

    `memory` lets what hardly moves, and what would wake a disk, be asked only once in a while. `fresh` are
    the families that are read in any case; what `memory` knows of others serves again while it is young and
    no command touched it. `as_of` is the time of the oldest.
    """
    memory = memory or Memory()
    told = look(host, memory, fresh)
    tree, named = told.tree(), told.links.result()
    disks, pools = settle(tree, named, told.pools(), host, memory.labels)
    units = told.units.result()
    naming, network = told.machine()
    known = memory.folders.settle(host, memory.datasets(host, told.datasets.result(), pools), pools)
    return Inventory(
        as_of=told.as_of.isoformat(timespec="milliseconds"),
        facts=_called(memory.lasting.facts(host, pools), naming),
        disks=with_leds(claim(disks, units), memory.leds(host, disks)),
        pools=tuple(memory.damaged(host, pool) for pool in pools),
        datasets=tuple(one for one in known if not is_ours(one.name)),
        keeping=tuple(one for one in known if is_ours(one.name)),
        arrays=parse_arrays(told.md.result(), tree, named, disks),
        boot=told.boot.result(),
        enclosures=told.enclosures.result(),
        units=units,
        served=parse_served(told.files.result(), told.services.result()),
        accounts=told.accounts.result(),
        naming=msgspec.structs.replace(naming, synchronized=memory.lasting.clock(host)),
        network=network,
        swap=told.swap.result(),
        moved=told.moved.result(),
    )


def _called(facts: HostFacts, naming: Naming) -> HostFacts:
    """Facts are remembered for a while; a new name counts at once."""
    return msgspec.structs.replace(facts, name=naming.name or facts.name)
