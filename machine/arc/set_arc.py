"""machine.set-arc: how large ZFS's cache in memory (ARC) may be, now and after every start."""

from __future__ import annotations

import msgspec

from host.commands.closed import AnyCommand
from host.commands.system.arc import (
    Bound,
    CheckArcBound,
    PlaceArcBounds,
    RemoveArcBounds,
    SetArcBound,
    StageArcBounds,
)
from host.contents.arc import (
    LEAST_MAX_BYTES,
    LEAST_MIN_BYTES,
    LEFT_BYTES,
    default_max,
    default_min,
)
from host.inventory import ArcBounds, ArcLimit, Inventory
from jobs.plan import Plan, Step
from jobs.planning.findings import Findings
from jobs.wording import listed
from machine.arc.advice import in_words

_ALIKE = 128 << 20


class SetArc(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Let ZFS cache in `max_bytes` of memory at most, and give up nothing below `min_bytes` when programs
    need memory. Null: ZFS decides."""

    max_bytes: int | None = None
    min_bytes: int | None = None


def plan(request: SetArc, inventory: Inventory) -> Plan:
    """Raises `Refused` for bounds that ZFS would ignore or that leave the rest too little."""
    findings = Findings()
    memory, now = inventory.facts.memory_bytes, inventory.arc
    if now.live is None:
        findings.refuse("no-zfs", "", "ZFS is not loaded on this machine, so there is no cache to limit.")
    wanted = _wanted(request, memory, findings)
    findings.refuse_on_error()
    if wanted == (now.kept or ArcBounds()) and not now.altered and _holds(wanted, now, memory):
        findings.refuse("nothing-changes", "max_bytes", "This is how it is already.")
    _warn(request, wanted, now, memory, findings)
    return Plan(
        operation="machine.set-arc",
        steps=(_keep(wanted, now), _use(_live(wanted, memory), wanted, now.live or ArcBounds(), now)),
        summary=_summary(wanted, now, memory),
        findings=findings.all(),
        claims=("machine:arc",),
    )


def _wanted(request: SetArc, memory: int, findings: Findings) -> ArcBounds:
    """With 0 where ZFS decides. A minimum that is not said goes below a maximum that is."""
    most, least = request.max_bytes, request.min_bytes
    largest = memory - LEFT_BYTES
    if most is not None and most < LEAST_MAX_BYTES:
        findings.error("too-small", "max_bytes", f"ZFS takes no less than {in_words(LEAST_MAX_BYTES)}.")
    elif most is not None and most > largest:
        message = f"Leave 1 GiB of the memory to everything else: {in_words(max(largest, 0))} at most."
        findings.error("too-large", "max_bytes", message)
    if least is not None and least < LEAST_MIN_BYTES:
        findings.error("too-small", "min_bytes", f"ZFS takes no less than {in_words(LEAST_MIN_BYTES)}.")
    elif least is not None and least >= (default_max(memory) if most is None else most):
        findings.error("not-below", "min_bytes", "The minimum has to be less than the maximum.")
    if most is not None and least is None and default_min(memory) >= most:
        least = max(most // 2, LEAST_MIN_BYTES)
    return ArcBounds(max_bytes=most or 0, min_bytes=least or 0)


def _live(wanted: ArcBounds, memory: int) -> ArcBounds:
    """As ZFS has it then; where it decides, as it does at a start."""
    return ArcBounds(
        max_bytes=wanted.max_bytes or default_max(memory), min_bytes=wanted.min_bytes or default_min(memory)
    )


def _holds(wanted: ArcBounds, now: ArcLimit, memory: int) -> bool:
    """Whether it is so now. What ZFS chose by itself it chose by a memory that was a little smaller then."""
    live, then = now.live or ArcBounds(), _live(wanted, memory)
    off = (abs(live.max_bytes - then.max_bytes), abs(live.min_bytes - then.min_bytes))
    said = (wanted.max_bytes, wanted.min_bytes)
    return all(differs <= (0 if asked else _ALIKE) for differs, asked in zip(off, said, strict=True))


def _warn(request: SetArc, wanted: ArcBounds, now: ArcLimit, memory: int, findings: Findings) -> None:
    if now.altered:
        message = "The file that says it at every start was changed by hand. It is replaced."
        findings.warning("changed-by-hand", "", message)
    if now.others:
        message = f"{listed(now.others)} sets the same, and may win at the next start. Remove its line there."
        findings.warning("set-elsewhere", "", message)
    if wanted.min_bytes and request.min_bytes is None:
        message = (
            f"ZFS's own minimum, {in_words(default_min(memory))}, is above this maximum: "
            f"it becomes {in_words(wanted.min_bytes)}."
        )
        findings.info("lower-minimum", "min_bytes", message)
    elif wanted.min_bytes > memory // 2:
        message = "ZFS will give up none of this when programs need memory: they may be killed instead."
        findings.warning("large-minimum", "min_bytes", message)


def _keep(wanted: ArcBounds, now: ArcLimit) -> Step:
    """What somebody wrote by hand cannot be written again."""
    title = "Let ZFS decide at every start" if wanted == ArcBounds() else "Keep it for every start"
    return Step(title=title, commands=_kept(wanted), undo=() if now.altered else _kept(now.kept))


def _kept(bounds: ArcBounds | None) -> tuple[AnyCommand, ...]:
    if bounds is None or bounds == ArcBounds():
        return (RemoveArcBounds(),)
    return (StageArcBounds(max_bytes=bounds.max_bytes, min_bytes=bounds.min_bytes), PlaceArcBounds())


def _use(live: ArcBounds, wanted: ArcBounds, before: ArcBounds, now: ArcLimit) -> Step:
    return Step(
        title="Use it now",
        commands=_set(before, live, wanted),
        undo=_set(live, before, now.kept or ArcBounds()),
    )


def _set(before: ArcBounds, after: ArcBounds, asked: ArcBounds) -> tuple[AnyCommand, ...]:
    """In the order in which ZFS takes both: the maximum never at or below the minimum on the way. A parameter
    that nobody asks for is 0 again in the end."""
    bounds: tuple[tuple[Bound, int, int], ...] = (
        ("min", after.min_bytes, asked.min_bytes), ("max", after.max_bytes, asked.max_bytes),
    )  # fmt: skip
    if after.min_bytes > before.max_bytes:
        bounds = bounds[::-1]
    commands: list[AnyCommand] = []
    for bound, size_bytes, said in bounds:
        commands += [
            SetArcBound(bound=bound, size_bytes=size_bytes),
            CheckArcBound(bound=bound, size_bytes=size_bytes),
        ]
        if not said:
            commands.append(SetArcBound(bound=bound, size_bytes=0))
    return tuple(commands)


def _summary(wanted: ArcBounds, now: ArcLimit, memory: int) -> str:
    least = f" and {in_words(wanted.min_bytes)} at least" if wanted.min_bytes else ""
    if not wanted.max_bytes:
        most = in_words(default_max(memory))
        first = f"ZFS decides how much memory it caches in: {most} at most{least or ', all but 1 GiB'}."
    else:
        left = in_words(memory - wanted.max_bytes)
        first = (
            f"ZFS caches in {in_words(wanted.max_bytes)} of memory at most{least}, from now on and after "
            f"every start. {left} are left to everything else."
        )
    if now.live is None or _live(wanted, memory).max_bytes >= now.live.max_bytes:
        return first
    return f"{first} What is cached above that is dropped and read from the disks again."
