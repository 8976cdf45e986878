"""One bay of the drawing as a value: what it shows in each view, and the whole of it in a sentence."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import msgspec

from disks.chassis import DrawnBay
from frontend.bays.vdevs import MemberPlace
from frontend.states import disk_state
from frontend.units import binary, moment, rate, stamp, worn
from host.inventory import Absent, Disk, KnownBy

KNOWN_BY: dict[KnownBy, str] = {
    "enclosure": "slot reported by the enclosure",
    "path": "mapped by port",
    "taught": "mapped by serial",
    "order": "guessed from the order of the ports",
}
_GUESSED = ", bay guessed"
_COOLEST, _STEP, _HEATS = 24, 4, 8
_YEAR_H = 8766
_AGES_H = tuple(_YEAR_H * years for years in (1, 2, 3, 4, 5))
_RATES = (1, 1_000_000, 10_000_000, 50_000_000, 150_000_000)  # bytes per second


class Vitals(msgspec.Struct, frozen=True, kw_only=True):
    """What is known of a disk beside the inventory; None where it is not."""

    hours: int | None = None  # powered on
    bytes_per_second: int | None = None  # read and written, of late


class BayView(msgspec.Struct, frozen=True, kw_only=True):
    """One bay. `classes` carry tone, hue, heat, activity and age; `place` counts bays of the whole case."""

    label: str
    place: int
    disk_id: str | None = None  # of the disk in it, or of the one that is missing from it
    classes: str
    vdev: str = ""
    word: str
    size: str = ""
    model: str = ""
    use: str = ""
    temperature: int | None = None
    activity: str = ""
    age: str = ""
    asleep: bool = False
    missing: bool = False
    vacant: bool = False
    says: str
    free: bool = False  # and well: what “All free disks” ticks
    why_not: str | None = None  # why the disk cannot be picked for a new pool


def bay_view(
    bay: DrawnBay, *, place: int, member: MemberPlace | None, vitals: Vitals | None, lit: bool
) -> BayView:
    """What `bay` shows; `member` is its disk's place in a pool, `lit` whether its locate light is on."""
    if bay.disk is not None:
        return _occupied(bay, bay.disk, place, member, vitals or Vitals(), lit=lit)
    if bay.missing is not None:
        return _missing(bay, bay.missing, place)
    said = "empty" if not lit else "empty, light on"
    return BayView(
        label=bay.label, place=place, classes="s-idle locating" if lit else "s-idle",
        word="empty", says=f"Bay {bay.label}: {said}", vacant=True,
    )  # fmt: skip


def was(absent: Absent) -> str:
    """`was WD-0003 since 2026-11-21 12:03 UTC`: what a bay misses."""
    since = moment(absent.since)
    when = f" since {stamp(since, '%Y-%m-%d %H:%M')}" if since else ""
    return f"was {absent.serial or absent.model}{when}"


def heat(celsius: int) -> int:
    """The step on the heat scale, 0 to 7."""
    return max(0, min(_HEATS - 1, (celsius - _COOLEST) // _STEP + 1))


def age_step(hours: int) -> int:
    """The step on the scale of age, 0 (the first year) to 5 (five years and more)."""
    return sum(hours >= limit for limit in _AGES_H)


def activity_step(bytes_per_second: int) -> int:
    """The step on the scale of activity, 0 (nothing) to 5 (150 MB/s and more)."""
    return sum(bytes_per_second >= limit for limit in _RATES)


def short_model(model: str) -> str:
    """The model without its maker and its revision: `WDC WD30EFRX-68EUZN0` → `WD30EFRX`."""
    words = model.split()
    best = next((word for word in words if any(c.isdigit() for c in word) and len(word) > 4), model)
    return best.split("-")[0] or model


def why_not(disk: Disk) -> str | None:
    """Why the disk cannot be picked for a new pool; None when it can."""
    reasons = [claim.words for claim in disk.claims if claim.active]
    return "; ".join(reasons) or (None if disk.links else "no lasting name")


def _missing(bay: DrawnBay, absent: Absent, place: int) -> BayView:
    return BayView(
        label=bay.label, place=place, disk_id=absent.id,
        classes="s-bad guessed" if bay.guessed else "s-bad", word="missing",
        use=was(absent), model=short_model(absent.model), missing=True, vacant=True,
        says=f"Bay {bay.label}: missing, {was(absent)}, {absent.model}{_GUESSED if bay.guessed else ''}",
    )  # fmt: skip


def _occupied(
    bay: DrawnBay, disk: Disk, place: int, member: MemberPlace | None, vitals: Vitals, *, lit: bool
) -> BayView:
    state = disk_state(disk, None if member is None else member.leaf)
    said = _said(bay, disk, state.word, member, lit=lit)
    word = "new here" if bay.fresh and member is None else state.word
    if disk.health == "failing" and state.tone in {"good", "idle"}:
        word = "failing"
    elif disk.health == "warning" and state.tone in {"good", "idle"}:
        word = "warning"
    classes = [
        name for name, shown in (
            (f"s-{state.tone}", True), (f"v{member.hue}" if member else "", member),
            (_step("h", disk.temperature_celsius, heat), True), (_step("g", vitals.hours, age_step), True),
            (_step("a", vitals.bytes_per_second, activity_step), True),
            ("asleep", disk.asleep), ("fresh", bay.fresh), ("locating", lit),
            ("ill", disk.health == "warning"), ("failing", disk.health == "failing"),
            ("guessed", bay.guessed),
        ) if shown and name
    ]  # fmt: skip
    return BayView(
        label=bay.label, place=place, disk_id=disk.id, classes=" ".join(classes),
        vdev=member.key if member else "", word=word, size=binary(disk.size_bytes),
        model=short_model(disk.model), use=f"{member.pool} · {member.vdev}" if member else "",
        temperature=disk.temperature_celsius, asleep=bool(disk.asleep), free=disk.free and not disk.unwell,
        activity="" if vitals.bytes_per_second is None else rate(vitals.bytes_per_second),
        age="" if vitals.hours is None else worn(vitals.hours),
        says=f"Bay {bay.label}: {', '.join(said)}{_GUESSED if bay.guessed else ''}"
        f"{f'. {bay.doubt}' if bay.doubt else ''}",
        why_not=why_not(disk),
    )  # fmt: skip


def _said(bay: DrawnBay, disk: Disk, state: str, member: MemberPlace | None, *, lit: bool) -> list[str]:
    said = [disk.model, binary(disk.size_bytes), f"serial {disk.serial or 'unknown'}", state]
    said += [f"in {member.pool}, {member.vdev}"] if member else [disk.used_by] if disk.used_by else []
    said += [f"{disk.temperature_celsius} °C"] if disk.temperature_celsius is not None else []
    said += [f"not well: {'; '.join(disk.unwell)}"] if disk.unwell else []
    notes: Mapping[str, object] = {
        "asleep": disk.asleep,
        "new here": bay.fresh,
        "SMART warns": disk.health == "warning" and state != "warning" and not disk.unwell,
        "failing": disk.health == "failing" and state != "failing",
        "light on": lit,
    }
    return said + [note for note, true in notes.items() if true]


def _step(letter: str, value: int | None, scale: Callable[[int], int]) -> str:
    return "" if value is None else f"{letter}{scale(value)}"
