"""Datasets as values for the eye."""

from __future__ import annotations

import msgspec

from host.inventory import Dataset, Property


class Setting(msgspec.Struct, frozen=True, kw_only=True):
    """A property that the form can change. `chosen` is its own value, empty while it is inherited."""

    name: str
    title: str
    hint: str
    options: tuple[str, ...]  # empty for free text
    value: str
    chosen: str
    whence: str


_SWITCH = ("on", "off")
_SETTINGS: tuple[tuple[str, str, str, tuple[str, ...]], ...] = (
    ("compression", "Compression", "Applies to new data. lz4 costs almost nothing, zstd saves more space.",
     ("lz4", "zstd", "zstd-3", "zstd-9", "zstd-19", "gzip", "zle", "on", "off")),
    ("atime", "Access times", "Causes a write on every read; leave it off.", _SWITCH),
    ("recordsize", "Record size", "1M for large files, 16K for databases.",
     ("16K", "32K", "64K", "128K", "256K", "512K", "1M", "4M")),
    ("quota", "Quota", "Maximum space including child datasets, such as 500G, or “none”.", ()),
    ("reservation", "Reservation", "Guaranteed space, such as 50G.", ()),
    ("readonly", "Read only", "While on, nothing can be written.", _SWITCH),
    ("sync", "Synchronous writes", "“disabled” may lose the last seconds in a power cut.",
     ("standard", "always", "disabled")),
    ("mountpoint", "Mount point", "Child datasets move with it.", ()),
)  # fmt: skip
_SIZES = {"recordsize", "quota", "reservation"}
_NOT_INHERITED = {"quota", "reservation"}
_NOT_FOR_VOLUMES = {"atime", "recordsize", "quota", "mountpoint"}
_MOST_DIGITS = 100_000  # more than this reads better in bytes
_UNITS = ((1 << 40, "T"), (1 << 30, "G"), (1 << 20, "M"), (1 << 10, "K"))


def settings(dataset: Dataset) -> tuple[Setting, ...]:
    """The properties that the dataset's form can change."""
    return tuple(
        _setting(name, title, hint, options, dataset.properties[name])
        for name, title, hint, options in _SETTINGS
        if name in dataset.properties and not (dataset.kind == "volume" and name in _NOT_FOR_VOLUMES)
    )


def changes(shown: tuple[Setting, ...], sent: dict[str, str]) -> dict[str, str | None]:
    """What the form asks to change: a value to set, or None to inherit again."""
    found: dict[str, str | None] = {}
    for setting in shown:
        wanted = sent.get(setting.name, setting.chosen).strip()
        if wanted != setting.chosen:
            # ZFS hands no quota or reservation down: there "none" is what lifts it.
            found[setting.name] = wanted or ("none" if setting.name in _NOT_INHERITED else None)
    return found


def whence(found: Property) -> str:
    """Where a value comes from, in words."""
    if found.source == "inherited" and found.inherited_from:
        return f"inherited from {found.inherited_from}"
    return {"local": "set here", "default": "default", "received": "received", "inherited": "inherited",
            "temporary": "until unmounted"}.get(found.source, "")  # fmt: skip


def readable(name: str, value: str) -> str:
    """A property's value as it would be typed: `131072` → `128K`."""
    if name not in _SIZES or not value.isdigit():
        return value
    number = int(value)
    if number == 0:
        return "none"
    for unit, letter in _UNITS:
        if number % unit == 0 and number // unit < _MOST_DIGITS:
            return f"{number // unit}{letter}"
    return value


def _setting(name: str, title: str, hint: str, options: tuple[str, ...], found: Property) -> Setting:
    value = readable(name, found.value)
    local = found.source in {"local", "received"}
    chosen = value if local else ""
    if options and local and chosen not in options:
        options = (chosen, *options)
    return Setting(
        name=name, title=title, hint=hint, options=options, value=value, chosen=chosen, whence=whence(found)
    )
