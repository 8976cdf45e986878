"""The families of facts: what a probe reads together, a command touches and a plan needs."""

from __future__ import annotations

from enum import StrEnum


class Family(StrEnum):
    """Facts of a machine that are read together."""

    DISKS = "disks"  # with the md arrays, enclosures and our units that work on disks
    POOLS = "pools"
    DATASETS = "datasets"
    SHARES = "shares"  # what is served: files and services, not the rows of the database
    PEOPLE = "people"
    NAMES = "names"  # with the time zone and the certificate
    NETWORK = "network"
    SYSTEM = "system"  # swap, the ARC, where /var and /home lie, what the programs of the boot pair left


Families = frozenset[Family]
# Whoever reads the one reads the others: a disk is claimed by its pool, a pool is its datasets, too, and the
# files that name the machine show what manages its network.
TOGETHER: dict[Family, Families] = {
    Family.DISKS: frozenset({Family.POOLS, Family.DATASETS}),
    Family.POOLS: frozenset({Family.DATASETS}),
    Family.NETWORK: frozenset({Family.NAMES}),
}
EVERYTHING: Families = frozenset(Family)
NOTHING: Families = frozenset()


def widened(families: Families) -> Families:
    """`families`, and what is read with them."""
    return families.union(*(TOGETHER.get(family, NOTHING) for family in families))
