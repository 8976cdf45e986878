"""Swap, and where the system keeps its state, as values for their pages."""

from __future__ import annotations

import msgspec

from frontend.states import Tone
from frontend.units import binary
from host.boot_pair import boot_pair
from host.inventory import Inventory, MovedState, SwapSpace
from pools.boot.left_state import left_on


class SwapChoice(msgspec.Struct, frozen=True, kw_only=True):
    """One kind of swap."""

    kind: str
    title: str
    words: str
    chosen: bool


class SwapView(msgspec.Struct, frozen=True, kw_only=True):
    """What is in use, and what can be chosen."""

    spaces: tuple[tuple[str, str], ...]  # what it is, and its size
    choices: tuple[SwapChoice, ...]


class LeftView(msgspec.Struct, frozen=True, kw_only=True):
    """What an earlier move left on a pool: its datasets, without the parent, and how much they hold."""

    pool: str
    datasets: tuple[str, ...]
    size: str


class KeptView(msgspec.Struct, frozen=True, kw_only=True):
    """Where /var and /home lie, and what can be done."""

    moved: MovedState
    verdict: str
    tone: Tone
    icon: str
    pools: tuple[tuple[str, str], ...]  # names, and how much is free
    may_move: bool
    button: str = ""  # of the way back; empty where there is none
    stay: bool = False  # the pool is not there: going on without it can be chosen
    left: tuple[LeftView, ...] = ()


def swap_view(inventory: Inventory) -> SwapView:
    """What the page shows."""
    swap = inventory.swap
    report = (
        (
            "zram",
            "Compressed memory",
            "Rarely used memory is compressed in memory. Nothing is written to disk.",
        ),
        (
            "raid0",
            "Both halves of the boot pair",
            "More space, but it wears out flash drives, and if either fails, swapped-out memory is lost.",
        ),
        ("none", "None", "When memory runs out, programs are killed."),
    )
    choices = [
        SwapChoice(kind=kind, title=title, words=words, chosen=kind == swap.kind)
        for kind, title, words in report
        if kind != "raid0" or boot_pair(inventory) is not None
    ]
    return SwapView(
        spaces=tuple((_what(space, inventory), binary(space.size_bytes)) for space in swap.spaces),
        choices=tuple(choices),
    )


def _what(space: SwapSpace, inventory: Inventory) -> str:
    if space.in_memory:
        return "Compressed memory"
    array = next((one for one in inventory.arrays if one.node == space.path), None)
    return space.path if array is None else f"Array {array.name} ({array.level})"


def state_view(inventory: Inventory) -> KeptView:
    """What the page shows."""
    moved = inventory.moved
    verdict, tone, icon = _verdict(moved)
    buttons = {"moved": "Move them back", "returning": ""}
    called_off = "" if moved.phase == "none" else "Call it off"
    return KeptView(
        moved=moved,
        verdict=verdict,
        tone=tone,
        icon=icon,
        pools=tuple(
            (pool.name, binary(root.number("available") or 0))
            for pool in inventory.pools
            if (root := inventory.dataset(pool.name)) is not None
        ),
        may_move=moved.phase in {"none", "failed", "broken-off"},
        button="" if moved.falls_back else buttons.get(moved.phase, called_off),
        stay=moved.falls_back,
        left=tuple(
            LeftView(
                pool=pool.name,
                datasets=tuple(one.name for one in found[1:]),
                # Without the room that is kept free for them.
                size=binary(sum(one.number("used") for one in found[1:])),
            )
            for pool in inventory.pools
            if (found := left_on(pool, inventory))
        ),
    )


def _verdict(moved: MovedState) -> tuple[str, Tone, str]:
    named = moved.named
    if moved.falls_back:
        text = (
            f"{named} are those of {moved.since or 'the day of the move'}, from the system's own disk: "
            f"{moved.reason or 'the reason is not known yet'}."
        )
        return text, "bad", "triangle-alert"
    match moved.phase:
        case "none":
            return "/var and /home are on the system disk.", "good", "circle-check"
        case "copying":
            return f"{named} are copied to {moved.pool}. The machine stays usable.", "busy", "loader-circle"
        case "waiting":
            why = f" The last start could not: {moved.reason}." if moved.why else ""
            return f"The next start switches to {moved.pool}.{why}", "busy", "loader-circle"
        case "broken-off":
            return "The first copy was interrupted. Nothing has changed.", "warn", "triangle-alert"
        case "failed":
            return f"They could not be moved. Nothing has changed. {moved.said}", "warn", "triangle-alert"
        case "returning":
            return f"The next start moves {named} back.", "busy", "loader-circle"
        case "moved":
            failed = f" The last start could not move them back: {moved.said}" if moved.said else ""
            return f"{named} are on {moved.pool}.{failed}", "good", "circle-check"
