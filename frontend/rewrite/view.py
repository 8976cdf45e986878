"""What the page shows of a rewriting: how it stands in a sentence, and what can be done next."""

from __future__ import annotations

from typing import Literal

import msgspec

from frontend.units import binary
from host.inventory import Dataset, Inventory
from jobs.wording import counted, listed
from replication.rewrites.progress import RewriteState

Act = Literal["begin", "stop", "compare", "switch", "back", "end"]
OPERATIONS: dict[str, str] = {
    "begin": "dataset.rewrite", "stop": "dataset.stop-rewrite", "compare": "dataset.compare-rewrite",
    "switch": "dataset.switch-rewrite", "back": "dataset.switch-rewrite", "end": "dataset.end-rewrite",
}  # fmt: skip
_LABELS: dict[Act, str] = {
    "begin": "Go on copying", "stop": "Stop", "compare": "Compare again", "switch": "Switch to the copy",
    "back": "Switch back", "end": "End and destroy the copy",
}  # fmt: skip


_SETTINGS = {
    "compression": "Compression", "checksum": "Checksum", "dedup": "Deduplication",
    "copies": "Copies of a block",
}  # fmt: skip


class Button(msgspec.Struct, frozen=True, kw_only=True):
    """What can be done; the first one is what comes next."""

    act: Act
    label: str
    primary: bool


class Setting(msgspec.Struct, frozen=True, kw_only=True):
    """What blocks are written with, and where that differs below."""

    name: str
    value: str


class Standing(msgspec.Struct, frozen=True, kw_only=True):
    """`step` is the one that it is at, from 1 to 4."""

    step: int
    state: str
    words: str
    well: bool
    goes_on: bool
    buttons: tuple[Button, ...]


def standing(found: RewriteState) -> Standing:
    """Of one that was begun."""
    run, compared = found.run, found.compared
    words = "" if run is None else run.words
    read = (
        ""
        if compared is None
        else f"{counted(compared.files, 'file')} with {binary(compared.size_bytes)} compared."
    )
    match found.stage:
        case "copying":
            return _standing(1, f"Copying to {found.copy}", "", ("stop",), goes_on=True)
        case "broken-off":
            return _standing(1, "Not wholly copied", words, ("begin", "end"))
        case "comparing":
            return _standing(2, "Comparing all files", read, ("stop",), goes_on=True)
        case "copied":
            said = "" if compared is None else compared.words
            return _standing(
                2, "Copied, and not wholly compared", said, ("compare", "begin", "end"), well=True
            )
        case "different":
            where = () if compared is None else compared.different
            advice = "Scrub the pool, end this, and begin again."
            return _standing(2, f"Files of {listed(where, 3)} differ", advice, ("compare", "begin", "end"))
        case "ready":
            return _standing(3, "All files are the same", read, ("switch", "begin", "end"), well=True)
        case "live":
            now = f"{found.dataset} is the new one. What was there before lies at {found.before}."
            return _standing(
                4, "Switched", now, ("end", "back"), well=True, end="End and destroy the old one"
            )


def _standing(
    step: int, state: str, words: str, acts: tuple[Act, ...], *, well: bool = False, goes_on: bool = False,
    end: str = _LABELS["end"],
) -> Standing:  # fmt: skip
    labels = _LABELS | {"end": end} | ({"begin": "Copy what is new"} if well else {})
    buttons = tuple(
        Button(act=act, label=labels[act], primary=index == 0 and act != "stop")
        for index, act in enumerate(acts)
    )
    return Standing(step=step, state=state, words=words, well=well, goes_on=goes_on, buttons=buttons)


def settings(dataset: Dataset, inventory: Inventory) -> tuple[Setting, ...]:
    """What a new copy would be written with."""
    found = []
    for name, label in _SETTINGS.items():
        value = dataset.value(name)
        if value is None:
            continue
        others = sorted({one.value(name) or "" for one in inventory.below(dataset.name)} - {value, ""})
        below = f", below it {', '.join(others)}" if others else ""
        found.append(Setting(name=label, value=f"{value}{below}"))
    return tuple(found)
