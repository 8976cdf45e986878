"""boot.swap: swap in compressed memory, on both halves of the boot pair, or none."""

from __future__ import annotations

from typing import Literal

import msgspec

from host.boot_pair import boot_pair
from host.commands.closed import AnyCommand
from host.commands.datasets.mounting import ReadUnits, SyncUnits
from host.commands.system.swap import SetZram, StartZram, StopZram
from host.inventory import Disk, Inventory
from jobs.plan import Plan, Step
from jobs.planning.findings import Findings
from jobs.planning.words import sentences
from jobs.wording import listed
from pools.boot.swap_array import MIB, Room, check_room, end, make
from pools.quotas.limits import in_words

Kind = Literal["zram", "raid0", "none"]


class SetSwap(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Choose where memory goes that nobody has used for long. What others set up in /etc/fstab stays."""

    kind: Kind


def plan(request: SetSwap, inventory: Inventory) -> Plan:
    """Raises `Refused` where it is so already, where a program is missing, or where there is no room."""
    findings = Findings()
    swap = inventory.swap
    halves = _halves(inventory)
    others = [space.path for space in swap.spaces if not space.in_memory and not swap.raid0_set]
    if request.kind == swap.kind or (request.kind == "none" and not swap.raid0_set and not _zram(inventory)):
        _refuse_same(request.kind, others, findings)
    room = _check(request.kind, halves, inventory, findings)
    if others:
        message = f"Swap that was set up elsewhere stays as it is: {', '.join(others)}. /etc/fstab names it."
        findings.warning("others-stay", "kind", message)
    findings.refuse_on_error()
    steps = [*_begin(request.kind, halves, room), *_stop(request.kind, halves, inventory)]
    message = (
        "What is swapped out now is read back into memory or moved to the new swap. If there is not "
        "enough memory, the kernel refuses and the old swap stays."
    )
    findings.info("fetched-back", "kind", message)
    arrays = (f"array:{array.name}" for array in inventory.arrays if array.carries_system)
    return Plan(
        operation="boot.swap",
        steps=tuple(steps),
        summary=_summary(request.kind, room, others, inventory),
        findings=findings.all(),
        claims=("boot:swap", *arrays, *(f"disk:{disk.id}" for disk in halves)),
    )


def _summary(kind: Kind, room: Room | None, others: list[str], inventory: Inventory) -> str:
    stays = f"Swap on {listed(others)}, which the console did not set up, stays." if others else ""
    if kind == "zram":
        raid0 = "Swap on both halves of the boot pair is turned off." if inventory.swap.raid0_set else ""
        return sentences("The machine swaps to compressed memory, now and after every start.", raid0, stays)
    if kind == "raid0":
        size = in_words(room.size_mib * MIB) if room and room.size_mib else "the swap partition"
        return sentences(
            f"The machine swaps to {size} on each half of the boot pair, now and after every start.",
            "If either disk fails, programs whose memory was swapped out end, and the machine may hang.",
            stays or ("Swap in compressed memory is turned off." if _zram(inventory) else ""),
        )
    if others:
        return sentences("Swap in compressed memory is turned off.", stays)
    return (
        "The machine runs without swap, now and after every start. When memory runs short, Linux ends "
        "programs, the largest first."
    )


def _zram(inventory: Inventory) -> bool:
    return inventory.swap.zram_set or any(space.in_memory for space in inventory.swap.spaces)


def _halves(inventory: Inventory) -> tuple[Disk, ...]:
    pair = boot_pair(inventory)
    return tuple(half.disk for half in pair.halves) if pair else ()


def _refuse_same(kind: Kind, others: list[str], findings: Findings) -> None:
    if kind == "none" and others:
        message = (
            f"The swap on {', '.join(others)} was not set up by the console: remove its line from "
            "/etc/fstab, then run swapoff with its name."
        )
        findings.refuse("not-ours", "kind", message)
    words = {"zram": "in compressed memory", "raid0": "on both halves of the boot pair", "none": "off"}[kind]
    findings.refuse("nothing-to-do", "kind", f"Swap is {words} already.")


def _check(kind: Kind, halves: tuple[Disk, ...], inventory: Inventory, findings: Findings) -> Room | None:
    if kind == "zram" and not inventory.swap.zram_installed:
        message = (
            "The package for swap in compressed memory is not installed. Install it, then try again: "
            "sudo apt install systemd-zram-generator"
        )
        findings.error("zram-missing", "kind", message)
    if kind == "none":
        message = (
            "Without swap a machine that runs short of memory ends programs, the largest first. ZFS gives "
            "its cache back before that."
        )
        findings.warning("no-swap", "kind", message)
    if kind != "raid0":
        return None
    pair = boot_pair(inventory)
    if pair is None or not pair.complete:
        message = "This needs a boot pair of which both halves are in sync."
        findings.error("no-whole-pair", "kind", message)
        return None
    words = (
        "What is swapped out is spread over both drives without a second copy. If either drive fails, the "
        "programs it belonged to end, and the machine may hang until it is restarted: it then starts "
        "without this swap."
    )
    findings.warning("lost-with-a-half", "kind", words)
    message = "Flash drives wear out with each write, and a machine that swaps writes a lot."
    findings.warning("wears-out", "kind", message)
    return check_room(halves[:2], findings)


def _begin(kind: Kind, halves: tuple[Disk, ...], room: Room | None) -> tuple[Step, ...]:
    if kind == "zram":
        commands: tuple[AnyCommand, ...] = (SetZram(on=True), ReadUnits(), StartZram(), SyncUnits())
        return (Step(title="Swap to compressed memory, now and at every start", commands=commands),)
    if kind == "raid0" and room is not None:
        size = "the partitions made for it" if room.there else f"{room.size_mib} MiB of each"
        title = f"Swap to {size} on both halves, now and at every start"
        return (Step(title=title, commands=make(halves[:2], room)),)
    return ()


def _stop(kind: Kind, halves: tuple[Disk, ...], inventory: Inventory) -> tuple[Step, ...]:
    steps = []
    if kind != "zram" and _zram(inventory):
        commands: tuple[AnyCommand, ...] = (StopZram(), SetZram(on=False), ReadUnits(), SyncUnits())
        steps.append(Step(title="Turn off swap in compressed memory", commands=commands))
    if kind != "raid0" and inventory.swap.raid0_set:
        title = "Turn off swap on both halves; its partitions stay and can be used again"
        steps.append(Step(title=title, commands=end(inventory, halves)))
    return tuple(steps)
