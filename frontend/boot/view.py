"""The boot pair as values: two small bays, and what can be done with each."""

from __future__ import annotations

import msgspec

from frontend.states import StateView, Tone
from frontend.units import binary, span
from host.boot_pair import Half, Pair, boot_pair
from host.inventory import Disk, Inventory, MdArray
from pools.boot.preparing import can_join, needed_bytes
from pools.unwell import unwell_words

_STATES: dict[str, tuple[Tone, str, str]] = {
    "whole": ("good", "circle-check", "Boot copy up to date"),
    "rebuilding": ("busy", "loader-circle", "Rebuilding"),
    "faulty": ("bad", "circle-x", "Failed"),
}


class HalfView(msgspec.Struct, frozen=True, kw_only=True):
    """A half, or the place of one that is missing (`disk` is None)."""

    title: str
    disk: Disk | None
    state: StateView
    where: str = ""  # bay or port
    may_leave: bool = False


class Candidate(msgspec.Struct, frozen=True, kw_only=True):
    """A disk that can become a half; `holds` is what it would lose."""

    id: str
    words: str
    holds: str | None


class BootView(msgspec.Struct, frozen=True, kw_only=True):
    """All that the page shows. `work` is what the kernel does, in words."""

    verdict: str
    tone: Tone
    icon: str
    halves: tuple[HalfView, ...]
    array: MdArray
    others: tuple[MdArray, ...]
    candidates: tuple[Candidate, ...]
    missing: bool  # a half can be added
    work: str = ""
    percent: float | None = None


def boot_view(inventory: Inventory) -> BootView | None:
    """None where the system is on no md RAID1."""
    pair = boot_pair(inventory)
    if pair is None:
        return None
    halves = [_half_view(number, half, pair) for number, half in enumerate(pair.halves, 1)]
    for number in range(len(halves) + 1, pair.root.wanted + 1):
        state = StateView(tone="warn", icon="circle-dashed", word="Missing")
        halves.append(HalfView(title=f"Half {number}", disk=None, state=state))
    alive = [half for half in pair.halves if half.state != "faulty"]
    verdict, tone, icon = _verdict(pair, len(alive))
    return BootView(
        verdict=verdict,
        tone=tone,
        icon=icon,
        halves=tuple(halves),
        array=pair.root,
        others=tuple(array for array in pair.arrays if array != pair.root),
        candidates=_candidates(pair, inventory),
        missing=len(alive) < pair.root.wanted,
        work=_work(pair.root),
        percent=pair.root.work.percent if pair.root.work else None,
    )


def _verdict(pair: Pair, alive: int) -> tuple[str, Tone, str]:
    if pair.complete:
        return "Either half may fail; the machine keeps running and can restart.", "good", "circle-check"
    if alive >= pair.root.wanted:
        return "The second half is being copied. Until then only one can boot.", "busy", "loader-circle"
    return "The system has one copy. If it fails, the machine stops.", "warn", "triangle-alert"


def _half_view(number: int, half: Half, pair: Pair) -> HalfView:
    tone, icon, word = _STATES[half.state]
    others = [other for other in pair.whole if other.disk.id != half.disk.id]
    return HalfView(
        title=f"Half {number}",
        disk=half.disk,
        state=StateView(tone=tone, icon=icon, word=word),
        where=f"bay {half.disk.bay}" if half.disk.bay else half.disk.port or "",
        may_leave=bool(others),
    )


def _work(array: MdArray) -> str:
    work = array.work
    if work is None:
        return ""
    kind = {"check": "Compares both copies", "repair": "Repairs differences"}.get(work.kind, "Copies")
    if work.paused:
        return f"{kind}: waiting"
    left = f", about {span(work.remaining_s)} left" if work.remaining_s else ""
    return f"{kind}{left}"


def _candidates(pair: Pair, inventory: Inventory) -> tuple[Candidate, ...]:
    """Those that nothing uses and that are large enough, the smallest first: a stick before a disk."""
    if not pair.whole:
        return ()
    needed = needed_bytes(pair.whole[0])
    ids = {half.disk.id for half in pair.halves}
    fit = [
        disk
        for disk in inventory.disks
        if disk.id not in ids and can_join(disk, inventory) and disk.size_bytes >= needed and not disk.twins
    ]
    return tuple(
        Candidate(id=disk.id, words=candidate_words(disk), holds=disk.used_by)
        for disk in sorted(
            fit, key=lambda disk: (bool(disk.unwell), disk.transport != "usb", disk.size_bytes)
        )
    )


def candidate_words(disk: Disk) -> str:
    """A disk among others to choose from."""
    where = f", bay {disk.bay}" if disk.bay else ""
    ill = f" · not well: {unwell_words(disk)}" if disk.unwell else ""
    return (
        f"{disk.model or disk.id}, {binary(disk.size_bytes)}, serial {disk.serial or 'unknown'}{where}{ill}"
    )
