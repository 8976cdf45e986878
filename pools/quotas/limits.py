"""What quotas and reservations of a dataset make sense (zfsprops(7); dsl_dir.c, dsl_dataset.c)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from host.inventory import Dataset, Inventory
from jobs.planning.findings import Findings

Limit = Literal["quota", "refquota", "reservation", "refreservation"]
LIMITS: tuple[Limit, ...] = ("quota", "refquota", "reservation", "refreservation")
NEARLY = 0.9  # of a quota: the rest is soon gone
_UNITS = ("B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB")
_FACTORS = {unit[0]: 1 << (10 * power) for power, unit in enumerate(_UNITS)}


def in_words(limit: int, counts: str = "bytes") -> str:
    """`1.5 GiB`; `10 files and folders`."""
    if counts == "objects":
        return f"{limit} files and folders"
    size, unit = float(limit), 0
    while size >= 1024 and unit < len(_UNITS) - 1:
        size, unit = size / 1024, unit + 1
    return f"{limit} B" if unit == 0 else f"{size:.4g} {_UNITS[unit]}"


def in_bytes(text: str) -> int | None:
    """`1.5G`, `1.5GiB` → 1610612736; None for what is no size."""
    number = text.upper().removesuffix("IB").removesuffix("B")
    letter = number[-1:] if number[-1:] in _FACTORS else ""
    try:
        return int(float(number.removesuffix(letter)) * _FACTORS.get(letter, 1))
    except (ValueError, OverflowError):
        return None


def counted(dataset: Dataset, limit: Limit) -> int:
    """What counts against a limit, in bytes: all of it with what is below, or its own files alone."""
    return dataset.number("used" if limit in {"quota", "reservation"} else "referenced")


def check_limits(
    dataset: Dataset, wanted: Mapping[Limit, int | None], inventory: Inventory, findings: Findings
) -> None:
    """Adds a finding for each limit that ZFS refuses, that leaves no room, or that has no effect."""
    for limit, size in wanted.items():
        field = f"limits_bytes.{limit}"
        now = dataset.number(limit)
        if limit in {"quota", "refquota"} and dataset.kind == "volume":
            findings.error("is-volume", field, "A volume has a fixed size and no quota.")
        elif size is not None and limit in {"quota", "refquota"}:
            _check_quota(dataset, limit, size, field, findings)
        elif size is not None:
            _check_reservation(dataset, limit, size, wanted, field, findings)
        said = (in_words(now) if now else "none", in_words(size) if size else "none")
        findings.info("changes", field, f"{limit}: {said[0]} → {said[1]}")
    _check_together(dataset, wanted, inventory, findings)


def _check_quota(dataset: Dataset, limit: Limit, size: int, field: str, findings: Findings) -> None:
    used = counted(dataset, limit)
    if size < used:
        message = (
            f"{dataset.name} already uses {in_words(used)}, and ZFS accepts no {limit} below that. Choose "
            "at least that much, or delete files and snapshots first."
        )
        findings.error("below-used", field, message)
    elif used > NEARLY * size:
        message = (
            f"{in_words(used)} of {in_words(size)} are used already: only {in_words(size - used)} more fit."
        )
        findings.warning("nearly-reached", field, message)


def _check_reservation(
    dataset: Dataset,
    limit: Limit,
    size: int,
    wanted: Mapping[Limit, int | None],
    field: str,
    findings: Findings,
) -> None:
    # What it holds or has reserved already needs no more room.
    room = dataset.number("available") + max(counted(dataset, limit), dataset.number(limit))
    if size > room:
        message = f"Only {in_words(room)} can be reserved for {dataset.name}. Choose less."
        findings.error("no-space", field, message)
    bound = wanted.get("quota", dataset.number("quota"))
    if bound and size > bound:
        message = f"No more than its quota of {in_words(bound)} can be reserved for it."
        findings.error("above-quota", field, message)


def _check_together(
    dataset: Dataset, wanted: Mapping[Limit, int | None], inventory: Inventory, findings: Findings
) -> None:
    quota, refquota = (wanted.get(name, dataset.number(name)) for name in ("quota", "refquota"))
    if quota and refquota and refquota > quota and {"quota", "refquota"} & wanted.keys():
        field = "limits_bytes.refquota" if "refquota" in wanted else "limits_bytes.quota"
        message = f"The quota of {in_words(quota)} is reached first: the refquota has no effect."
        findings.warning("no-effect", field, message)
    if "quota" not in wanted or not quota:
        return
    above = inventory.dataset(dataset.parent) if dataset.parent else None
    while above is not None:
        bound = above.number("quota")
        if bound and bound < quota:
            message = f"{above.name} above it has a quota of {in_words(bound)}, which is reached first."
            findings.warning("above-parent", "limits_bytes.quota", message)
        above = inventory.dataset(above.parent) if above.parent else None
