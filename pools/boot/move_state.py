"""boot.move-state: /var and /home go to a pool, so that the system's own sticks are written to less."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from host.commands.closed import AnyCommand
from host.commands.datasets.zfs import ZfsCreate
from host.commands.system.moved_state import (
    Moved,
    StartStateCopy,
    SyncState,
    WantState,
    WatchState,
    dataset_of,
)
from host.inventory import Inventory, Pool
from host.system.own_datasets import NOBODYS, SYSTEMS
from jobs.plan import Plan, Step
from jobs.planning.findings import Findings
from pools.boot.left_state import left_on
from pools.chosen import PoolText, imported

_GIB = 1 << 30


class MoveState(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Copy these folders to a pool now, and let the next start switch to them."""

    pool: PoolText
    folders: Annotated[tuple[Moved, ...], Meta(min_length=1, max_length=2)] = ("var", "home")


def plan(request: MoveState, inventory: Inventory) -> Plan:
    """Raises `Refused` where they lie on a pool already, and for a pool that a start cannot count on."""
    findings = Findings()
    moved = inventory.moved
    if moved.phase in {"copying", "waiting", "moved", "returning"}:
        message = f"{moved.named} are on {moved.pool}, or are being moved there. Move them back first."
        findings.refuse("moved-already", "", message)
    pool = imported(request.pool, inventory, findings, field="pool")
    _check_pool(pool, inventory, findings)
    _check_folders(request.folders, pool, inventory, findings)
    if left := left_on(pool, inventory):
        message = (
            f"{left[0].name} holds what an earlier move left on {pool.name}. Another move would overwrite "
            "it. Check whether anything in it is still needed, then destroy it: “Where the system keeps "
            "its state”, at /boot/state/."
        )
        findings.error("left-from-before", "pool", message)
    if moved.crypttab:
        message = (
            "/etc/crypttab names volumes that are unlocked at the start, and some of them wait for /var. "
            "With /var on a pool, each would wait for the other."
        )
        findings.error("crypttab", "", message)
    findings.refuse_on_error()
    _add_findings(pool, findings)
    return Plan(
        operation="boot.move-state",
        steps=_steps(request.folders, pool, inventory),
        summary=_summary(request.folders, pool),
        takes="minutes in the background for the first copy; the next start takes longer than usual",
        findings=findings.all(),
        claims=("boot:state", f"pool:{pool.name}"),
    )


def _summary(folders: tuple[Moved, ...], pool: Pool) -> str:
    are, them = ("is", "it") if len(folders) == 1 else ("are", "them")
    return (
        f"{_named(folders)} {are} copied to {pool.name} now, and the machine uses {them} there from its "
        f"next start on. Nothing is interrupted until then. If {pool.name} is missing at a start, the "
        "machine uses the state as it was on the day of the move, which stays on the system disk."
    )


def _named(folders: tuple[Moved, ...]) -> str:
    return " and ".join(f"/{folder}" for folder in folders)


def _check_pool(pool: Pool, inventory: Inventory, findings: Findings) -> None:
    if pool.health == "suspended" or pool.suspended:
        findings.error("suspended", "pool", f"{pool.name} is suspended: nothing can be written to it.")
    root = inventory.dataset(pool.name)
    if root is not None and root.value("encryption") not in {None, "off", "-"}:
        message = (
            f"{pool.name} is encrypted, and its key is not available while the machine starts, so it would "
            "never find its own state. Choose a pool whose root dataset is not encrypted."
        )
        findings.error("encrypted", "pool", message)
    start = inventory.facts.boot_import
    if start is not None and start.brings_back(pool.guid) is False:
        message = f"{pool.name} is not imported when the machine starts. The doctor says how to fix that."
        findings.error("not-imported-at-start", "pool", message)


def _check_folders(folders: tuple[Moved, ...], pool: Pool, inventory: Inventory, findings: Findings) -> None:
    if len(set(folders)) != len(folders):
        findings.error("duplicate-folder", "folders", "A folder is named twice.")
    spaces = dict(zip(("/", "/var", "/home"), inventory.moved.spaces, strict=False))
    for index, folder in enumerate(folders):
        space = spaces.get(f"/{folder}")
        if space is None:
            message = f"/{folder} does not exist, or it is not known where it is."
            findings.error("unknown-folder", f"folders[{index}]", message)
        elif space.mountpoint != "/":
            message = f"/{folder} is already a file system of its own, mounted at {space.mountpoint}."
            findings.error("mounted-already", f"folders[{index}]", message)
    used = [dataset for dataset in inventory.datasets if dataset.pool == pool.name]
    for dataset in used:
        if dataset.mounted and dataset.value("mountpoint") in {f"/{folder}" for folder in folders}:
            findings.error("mounted-already", "folders", f"{dataset.name} is mounted there.")
    root = inventory.dataset(pool.name)
    most, free = spaces.get("/"), None if root is None else root.number("available")
    if most is not None and free is not None and free < _reserved_bytes(most.used_bytes):
        message = (
            f"{pool.name} has {free / 1e9:.1f} GB free. The system's disk holds {most.used_bytes / 1e9:.1f} "
            "GB, which is the most that these folders can take, and up to 2 GB must stay free."
        )
        findings.error("no-space", "pool", message)


def _reserved_bytes(used_bytes: int) -> int:
    """What is kept free on the pool, in whole GiB: the plan shall be the same a moment later."""
    return (used_bytes // _GIB + 2) * _GIB


def _add_findings(pool: Pool, findings: Findings) -> None:
    if pool.health != "healthy":
        findings.warning("pool-unwell", "pool", f"{pool.name} is not healthy: its page says why.")
    message = (
        f"From the next start on, the machine uses what is on {pool.name}. If that pool is missing at a "
        "start, the machine still starts, with these folders as they were on the day of the move: jobs, "
        "settings and passwords made since then are missing until the pool is back, and what is done "
        "meanwhile is not in them. An alert says so."
    )
    findings.warning("needs-the-pool", "", message)
    message = (
        "The folders stay on the system's own disk as they are then. What belongs to the programs there, "
        "such as the list of installed packages, is always read from there."
    )
    findings.info("stays-behind", "", message)
    message = (
        "The first copy is made while the machine is running. The last one is made at the next start, "
        "before anything else: it takes as long as reading these folders from the system disk."
    )
    findings.info("next-start", "", message)


def _steps(folders: tuple[Moved, ...], pool: Pool, inventory: Inventory) -> tuple[Step, ...]:
    there = {dataset.name for dataset in inventory.keeping}
    made: list[AnyCommand] = []
    if (parent := dataset_of(pool.name)) not in there:
        # A console that cannot write to its database could not help where the pool is full.
        room = _reserved_bytes(max((space.used_bytes for space in inventory.moved.spaces), default=0))
        made.append(ZfsCreate(name=parent, properties=NOBODYS | {"reservation": str(room)}))
    made += [
        ZfsCreate(name=name, properties=SYSTEMS)
        for folder in folders
        if (name := dataset_of(pool.name, folder)) not in there
    ]
    named = _named(folders)
    want = (WantState(pool=pool.name, guid=pool.guid, what=folders), SyncState(), WatchState(on=True))
    copy = Step(title=f"Copy {named} while the machine is running", commands=(*want, StartStateCopy()))
    if not made:
        return (copy,)
    return (Step(title=f"Make a place for {named} on {pool.name}", commands=tuple(made)), copy)
