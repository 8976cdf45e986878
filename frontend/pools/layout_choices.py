"""The layouts of the picked disks for the eye: one of each family side by side, the others behind a fold."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from frontend.findings import messages
from frontend.units import roughly
from host.inventory import Inventory
from host.layouts import draid, kind, parity
from jobs.plan import Refused
from jobs.wording import counted
from pools.advice.arrangements import narrowest
from pools.advice.ask import AdviceAnswer, AskAdvice, LayoutAnswer, advise
from pools.advice.capacity import CapacityAnswer
from pools.advice.recommendation import Use
from pools.create_pool import NewVdev

USES: tuple[tuple[Use, str], ...] = (
    ("mixed", "Files of all kinds"),
    ("media", "Films, music, photos"),
    ("backup", "Backups"),
    ("vms", "Virtual machines, databases"),
    ("scratch", "Data you can afford to lose"),
)


class Choice(msgspec.Struct, frozen=True, kw_only=True):
    """A layout that is possible. `key` is its form value."""

    key: str
    name: str
    detail: str
    answer: CapacityAnswer
    advice: LayoutAnswer

    @property
    def survives(self) -> str:
        """How many failures are survived, in words."""
        count = self.answer.survives
        return "nothing" if not count else f"any {count}"

    @property
    def second(self) -> str:
        """The chance of surviving two failures at once."""
        return _percent(self.answer.chances_of_surviving[1])

    @property
    def third(self) -> str:
        """The chance of surviving three failures at once."""
        return _percent(self.answer.chances_of_surviving[2])

    @property
    def rebuild(self) -> str:
        """How long one disk takes to rebuild, in words."""
        return roughly(self.answer.rebuild_seconds) if self.answer.rebuild_seconds else "–"

    @property
    def warnings(self) -> tuple[str, ...]:
        """What to think over with this layout."""
        return messages(self.answer.findings, "error", "warning")


class Choices(msgspec.Struct, frozen=True, kw_only=True):
    """All of them. `why_not` are layouts that these disks cannot have, with the reason."""

    shown: tuple[Choice, ...] = ()
    more: tuple[Choice, ...] = ()
    why_not: tuple[tuple[str, str], ...] = ()
    warnings: tuple[str, ...] = ()
    recommended: str = ""

    @property
    def keys(self) -> frozenset[str]:
        """The form values that can be chosen."""
        return frozenset(choice.key for choice in (*self.shown, *self.more))


def choices(
    disks: Sequence[str],
    inventory: Inventory,
    *,
    use: Use,
    ashift: int | None,
    beside: Sequence[NewVdev] = (),
) -> Choices:
    """The layouts of these disks; none where they cannot be looked at together."""
    known = tuple(disk for disk in disks if inventory.disk(disk))
    if not known:
        return Choices()
    try:
        found = advise(AskAdvice(disks=known, use=use, ashift=ashift, beside=tuple(beside)), inventory)
    except Refused as refused:
        return Choices(warnings=messages(refused.findings, "error", "warning"))
    return _sorted(found, len(known), sum(len(vdev.disks) for vdev in beside if vdev.role == "spare"))


def _sorted(found: AdviceAnswer, count: int, ticked_spares: int) -> Choices:
    all_of_them = [_choice(layout, count, ticked_spares) for layout in found.layouts]
    families: dict[str, Choice] = {}
    for choice in all_of_them:
        families.setdefault(_family(choice.advice), choice)
    shown = tuple(families.values())
    return Choices(
        shown=shown,
        more=tuple(choice for choice in all_of_them if choice not in shown),
        why_not=tuple(_impossible(count)),
        warnings=messages(found.findings, "error", "warning"),
        recommended=found.recommended,
    )


def _family(layout: LayoutAnswer) -> str:
    return "draid" if kind(layout.layout) == "draid" else layout.layout


def _choice(layout: LayoutAnswer, count: int, ticked_spares: int) -> Choice:
    name, detail = _heading(layout, count)
    if spares := layout.spares + ticked_spares:
        detail = f"{detail}, {counted(spares, 'spare')}"
    return Choice(key=layout.key, name=name, detail=detail, answer=layout.capacity, advice=layout)


def _heading(layout: LayoutAnswer, count: int) -> tuple[str, str]:
    data = [vdev for vdev in layout.vdevs if vdev.role == "data"]
    if layout.layout == "stripe":
        return ("single disk" if count == 1 else "stripe"), "no redundancy"
    width = len(data[0].disks)
    if kind(layout.layout) == "draid":
        geometry = draid(layout.layout, width)
        spread = f", {counted(geometry.spares, 'spare')} spread over all" if geometry.spares else ""
        return f"dRAID{geometry.parity}", f"groups of {geometry.data} + {geometry.parity}{spread}"
    if len(data) == 1:
        return layout.layout, counted(width, "disk")
    return f"{len(data)} × {layout.layout}", f"of {counted(width, 'disk')} each"


def _percent(chance: float) -> str:
    """Never rounded up to certainty or down to none."""
    if 99 < chance < 100:
        return "> 99 %"
    return "< 1 %" if 0 < chance < 1 else f"{chance:.0f} %"


def _impossible(count: int) -> Iterator[tuple[str, str]]:
    if count < 2:
        yield "mirror", "Needs 2 disks or more."
    for layout in ("raidz1", "raidz2", "raidz3"):
        if count < narrowest(layout):
            yield layout, f"Needs {parity(layout) + 2} disks or more."
    if 1 < count < 12:
        yield "dRAID", "Makes sense from 12 disks on."
