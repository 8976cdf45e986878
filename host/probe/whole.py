"""All reads in one place: `probe(host)` reads the machine and returns an `Inventory`."""

from __future__ import annotations

import msgspec

from host.base import Host
from host.families import EVERYTHING, Families
from host.inventory import HostFacts, Inventory, Naming
from host.probe.cache import ProbeCache
from host.probe.disks.arrays import parse_arrays
from host.probe.disks.leds import with_leds
from host.probe.membership import settle
from host.probe.reading import read_answers
from host.probe.shares.sharing import parse_served
from host.probe.units import claim
from host.system.own_datasets import is_ours


def probe(host: Host, *, cache: ProbeCache | None = None, fresh: Families = EVERYTHING) -> Inventory:
    """Everything that plans and pages need, except snapshots. Raises `HostError`.

    With `cache`, what hardly changes and what would wake a disk is read only once in a while. `fresh` are the
    families that are read in any case; others are reused from `cache` while they are young and no command
    touched them. `as_of` is the time of the oldest.
    """
    cache = cache or ProbeCache()
    report = read_answers(host, cache, fresh)
    tree, named = report.tree(), report.links.result()
    disks, pools = settle(tree, named, report.pools(), host, cache.labels)
    units = report.units.result()
    naming, network = report.machine()
    known = cache.folders.settle(host, cache.datasets(host, report.datasets.result(), pools), pools)
    return Inventory(
        as_of=report.as_of.isoformat(timespec="milliseconds"),
        facts=_called(cache.lasting.facts(host, pools, naming.boot), naming),
        disks=with_leds(claim(disks, units), cache.leds(host, disks)),
        pools=tuple(cache.damaged(host, pool) for pool in pools),
        datasets=tuple(one for one in known if not is_ours(one.name)),
        keeping=tuple(one for one in known if is_ours(one.name)),
        arrays=parse_arrays(report.md.result(), tree, named, disks),
        boot=report.boot.result(),
        enclosures=report.enclosures.result(),
        units=units,
        served=parse_served(report.files.result(), report.services.result()),
        accounts=report.accounts.result(),
        naming=msgspec.structs.replace(naming, synchronized=cache.lasting.clock(host)),
        network=network,
        swap=report.swap.result(),
        arc=report.arc.result(),
        moved=report.moved.result(),
    )


def _called(facts: HostFacts, naming: Naming) -> HostFacts:
    """Facts are remembered for a while; a new name counts at once."""
    return msgspec.structs.replace(facts, name=naming.name or facts.name)
