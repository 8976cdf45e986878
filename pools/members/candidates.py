"""Which disks could join or replace, by the rules of the plans themselves, and why the others could not."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from host.inventory import Disk, Inventory, Pool
from jobs.planning.findings import Findings
from pools.disk_choice import choose_one
from pools.members.newcomer import choose_newcomer
from pools.members.places import MemberPosition
from pools.members.replace import choose_target, waiting_spare
from pools.unwell import unwell_words

Choose = Callable[[str, Findings], object]


class Candidate(msgspec.Struct, frozen=True, kw_only=True):
    """A disk of the machine; `why` says what keeps it from being taken, and is empty where nothing does."""

    disk: Disk
    why: str
    spare: bool = False  # of the pool, waiting

    @property
    def unwell(self) -> str:
        """What is wrong with the disk, which has to be confirmed; empty for one that is well."""
        return unwell_words(self.disk)

    @property
    def holds(self) -> str:
        """What would be lost on it; empty for a free disk and a spare."""
        return "" if self.spare or self.why else self.disk.used_by or ""


def to_replace(pool: Pool, place: MemberPosition, inventory: Inventory) -> tuple[Candidate, ...]:
    """All disks, those first that could take the member's place."""
    return _judged(
        inventory, lambda name, findings: choose_target(name, pool, place, inventory, findings), pool
    )


def to_attach(pool: Pool, place: MemberPosition, inventory: Inventory) -> tuple[Candidate, ...]:
    """All disks, those first that could join the vdev."""
    return _judged(
        inventory, lambda name, findings: choose_newcomer(name, pool, place.top, inventory, findings)
    )


def to_add(inventory: Inventory) -> tuple[Candidate, ...]:
    """All disks, those first that could become a vdev of their own."""
    return _judged(inventory, lambda name, findings: choose_one(name, "disk", inventory, findings))


def _judged(inventory: Inventory, choose: Choose, pool: Pool | None = None) -> tuple[Candidate, ...]:
    found = []
    for disk in inventory.disks:
        findings = Findings()
        choose(disk.id, findings)
        errors = [one.message.removeprefix(f"{disk.id}: ") for one in findings.all() if one.level == "error"]
        spare = pool is not None and waiting_spare(pool, disk.id, inventory) is not None
        why = f"In use: {disk.used_by}." if disk.in_use and errors and not spare else " ".join(errors)
        found.append(Candidate(disk=disk, why=why, spare=spare))
    return tuple(sorted(found, key=best_first))


def best_first(candidate: Candidate) -> tuple[bool, bool, bool, bool, int]:
    """Those that can be taken; of these the well, spares that wait, the free and the small."""
    disk = candidate.disk
    return bool(candidate.why), bool(disk.unwell), not candidate.spare, not disk.free, disk.size_bytes
