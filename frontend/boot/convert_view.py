"""A system on one disk, and how far it is on its way onto a pair; and what a pair made elsewhere lacks."""

from __future__ import annotations

from typing import Literal

import msgspec

from frontend.boot.view import Candidate, candidate_words
from frontend.states import StateView, Tone
from frontend.units import binary
from host.boot_pair import in_words
from host.inventory import Conversion, Inventory
from jobs.plan import Refused
from jobs.planning.findings import Findings
from pools.boot.adopt import Trait, traits
from pools.boot.convert import candidates
from pools.boot.running import asked_running, copy_of, running

Stage = Literal["choose", "copying", "copied", "restarting"]
_TITLES = (
    "Copy the system to a second disk",
    "Restart into the copy",
    "Add the first disk as the other half",
)
_AT: dict[Stage, int] = {"choose": 0, "copying": 0, "copied": 1, "restarting": 1}
_TRAITS: dict[str, tuple[Tone, str, str]] = {
    "good": ("good", "circle-check", "OK"),
    "missing": ("warn", "circle-dashed", "Missing"),
    "warning": ("warn", "triangle-alert", "Check this"),
    "refused": ("bad", "circle-x", "Problem"),
}


class StepView(msgspec.Struct, frozen=True, kw_only=True):
    """One of the three steps; `now` is the one to be done."""

    title: str
    state: StateView
    now: bool


class ConvertView(msgspec.Struct, frozen=True, kw_only=True):
    """All that the page shows of a system on one disk. `why_not`: it cannot be moved."""

    where: str
    used: str
    stage: Stage
    steps: tuple[StepView, ...]
    candidates: tuple[Candidate, ...] = ()
    copy: str = ""  # the disk that holds the copy
    last_result: str = ""  # what became of the last try, where it did not end well
    running: bool = False
    percent: float | None = None
    why_not: tuple[str, ...] = ()


class TraitView(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that a boot pair has or lacks."""

    state: StateView
    words: str


class AdoptView(msgspec.Struct, frozen=True, kw_only=True):
    """What a pair lacks. `possible`: it can be written."""

    adopted: bool
    possible: bool
    traits: tuple[TraitView, ...]


def convert_view(inventory: Inventory) -> ConvertView | None:
    """None where the system is on no partition of one disk."""
    now = running(inventory)
    if now is None:
        return None
    found = copy_of(inventory)
    conversion = None if found is None else found[0]
    here = found is not None and found[1] is not None and found[2] is not None
    stage = _stage(conversion, here=here)
    used = now.used_bytes
    choices = tuple(
        Candidate(id=disk.id, words=candidate_words(disk), holds=disk.used_by)
        for disk in candidates(now, inventory)
    )
    return ConvertView(
        where=in_words(now.disk),
        used="" if used is None else binary(used),
        stage=stage,
        steps=tuple(_step(number, title, stage) for number, title in enumerate(_TITLES)),
        candidates=choices,
        copy=in_words(found[2]) if found is not None and found[2] is not None else "",
        last_result=_last_result(conversion, here=here),
        running=conversion is not None and conversion.running,
        percent=_percent(conversion) if stage == "copying" else None,
        why_not=_why_not(inventory),
    )


def adopt_view(inventory: Inventory) -> AdoptView:
    """What of a boot pair is there. Only for a system that is on md RAID1."""
    found = traits(inventory)
    states = {trait.state for trait in found}
    return AdoptView(
        adopted=not states & {"missing", "refused"},
        possible="refused" not in states,
        traits=tuple(_trait(trait) for trait in found),
    )


def _stage(conversion: Conversion | None, *, here: bool) -> Stage:
    if conversion is None:
        return "choose"
    if conversion.running:
        return "restarting" if conversion.state == "restarting" else "copying"
    return "copied" if conversion.state in {"copied", "restarting"} and here else "choose"


def _last_result(conversion: Conversion | None, *, here: bool) -> str:
    if conversion is None or conversion.running:
        return ""
    if conversion.state == "restarting":
        return (
            "The machine was told to start from the copy, but came back with the old system. Its screen "
            "may have shown why: usually the firmware does not show the second disk to GRUB."
        )
    if conversion.state in {"failed", "stopped"}:
        return f"The last copy did not finish: {conversion.words or 'it was stopped'}"
    return "" if here else "The disk with the copy is missing."


def _percent(conversion: Conversion | None) -> float | None:
    if conversion is None or not conversion.total_bytes:
        return None
    return 100 * conversion.done_bytes / conversion.total_bytes


def _step(number: int, title: str, stage: Stage) -> StepView:
    at = _AT[stage]
    if number < at:
        state = StateView(tone="good", icon="circle-check", word="Done")
    elif number > at:
        state = StateView(tone="idle", icon="circle-dashed", word="Later")
    elif stage in {"copying", "restarting"}:
        state = StateView(tone="busy", icon="loader-circle", word="Under way")
    else:
        state = StateView(tone="warn", icon="circle-dashed", word="Next")
    return StepView(title=title, state=state, now=number == at)


def _trait(trait: Trait) -> TraitView:
    tone, icon, word = _TRAITS[trait.state]
    return TraitView(state=StateView(tone=tone, icon=icon, word=word), words=trait.words)


def _why_not(inventory: Inventory) -> tuple[str, ...]:
    findings = Findings()
    try:
        asked_running(inventory, findings)
        findings.refuse_on_error()
    except Refused as refused:
        return tuple(finding.message for finding in refused.findings)
    return ()
