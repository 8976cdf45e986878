"""Presets: named sets of properties for what a dataset is for, each value with its reason.

The figures are those of man zfsprops, of the OpenZFS "Workload Tuning" page, and of the owners whose
measurements are told in the reasons.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from host.inventory import Dataset

PresetName = Literal["general", "media", "backups", "virtual-machines", "databases", "time-machine"]
Kind = Literal["filesystem", "volume"]


class Choice(msgspec.Struct, frozen=True, kw_only=True):
    """One property of a preset, and why it has that value."""

    property: str
    value: str
    why: str


class Preset(msgspec.Struct, frozen=True, kw_only=True):
    """What a dataset is for: `choices` for file systems, `volume_choices` for volumes; none: not offered."""

    name: PresetName
    title: str
    summary: str
    choices: tuple[Choice, ...]
    volume_choices: tuple[Choice, ...] = ()

    def of_kind(self, kind: Kind) -> tuple[Choice, ...]:
        """What it sets on a dataset of `kind`."""
        return self.choices if kind == "filesystem" else self.volume_choices


def _choice(name: str, value: str, why: str) -> Choice:
    return Choice(property=name, value=value, why=why)


_LZ4 = _choice("compression", "lz4", "Costs almost nothing, and skips data that is compressed already.")
_NO_ATIME = _choice("atime", "off", "Reading a file does not write to the disks.")
_XATTR = _choice("xattr", "sa", "What Windows and macOS store about a file is kept with it, one read away.")
_ACL = _choice("acltype", "posixacl", "Shares can grant permissions to more than one group.")
_LABELS = _choice("xattr", "sa", "Labels of a security module are stored with the file.")
_NOT_INHERITED = {"volblocksize"}
_SHOWN = {"16K": "16384", "64K": "65536", "128K": "131072", "1M": "1048576", "sa": "on", "posixacl": "posix"}
_LARGE = "Large files in large blocks: less metadata, fewer seeks."

PRESETS: tuple[Preset, ...] = (
    Preset(
        name="general",
        title="General",
        summary="Documents, photos, home folders: a bit of everything.",
        choices=(
            _LZ4,
            _choice("recordsize", "128K", "Good for files of all sizes."),
            _NO_ATIME,
            _XATTR,
            _ACL,
        ),
        volume_choices=(_LZ4, _choice("volblocksize", "16K", "Little space is lost to parity and padding.")),
    ),
    Preset(
        name="media",
        title="Media",
        summary="Films, music, pictures: large files, written once, read sequentially.",
        choices=(
            _LZ4,
            _choice(
                "recordsize", "1M", f"{_LARGE} A change inside a file rewrites 1 MiB, which is rare here."
            ),
            _NO_ATIME,
            _XATTR,
            _ACL,
        ),
    ),
    Preset(
        name="backups",
        title="Backups",
        summary="Archives and images, written once and read only when needed.",
        choices=(
            _choice("compression", "zstd", "Saves more than lz4, and a backup can afford the time."),
            _choice("recordsize", "1M", f"{_LARGE} They compress better, too."),
            _NO_ATIME,
            _XATTR,
            _ACL,
        ),
    ),
    Preset(
        name="virtual-machines",
        title="Virtual machines",
        summary="Disk images in files, or volumes as disks.",
        choices=(
            _LZ4,
            _choice(
                "recordsize",
                "64K",
                "Guests do small writes: larger blocks would have to be read and rewritten for each.",
            ),
            _NO_ATIME,
            _LABELS,
        ),
        volume_choices=(
            _LZ4,
            _choice(
                "volblocksize", "16K", "Close to what guests write; smaller blocks lose space to parity."
            ),
            _choice("snapdev", "hidden", "No devices for snapshots unless they are wanted."),
        ),
    ),
    Preset(
        name="databases",
        title="Databases",
        summary="PostgreSQL, MariaDB, SQLite: small pages, written at random.",
        choices=(
            _LZ4,
            _choice(
                "recordsize", "16K", "One page of MariaDB, two of PostgreSQL: little is rewritten needlessly."
            ),
            _NO_ATIME,
            _choice(
                "logbias", "latency", "A commit is on disk, by the fastest path, before it is confirmed."
            ),
            _LABELS,
        ),
        volume_choices=(_LZ4, _choice("volblocksize", "16K", "One page of MariaDB, two of PostgreSQL.")),
    ),
    Preset(
        name="time-machine",
        title="Time Machine",
        summary="Backups of Macs over SMB, in bands of some megabytes.",
        choices=(
            _choice("compression", "lz4", "Encrypted backups cannot be compressed: lz4 gives up early."),
            _choice("recordsize", "1M", f"{_LARGE} Bands are written as a whole."),
            _NO_ATIME,
            _choice(
                "xattr", "sa", "macOS stores a lot in extended attributes; this way they cost no extra read."
            ),
            _ACL,
        ),
    ),
)


def preset(name: str) -> Preset:
    """The preset of that name. Raises `StopIteration` for one that `PresetName` does not know."""
    return next(one for one in PRESETS if one.name == name)


def expanded(
    name: PresetName | None, kind: Kind, chosen: dict[str, str], above: Dataset | None
) -> dict[str, str]:
    """The properties of a preset, where `chosen` has none: what was chosen by hand wins.

    What the dataset `above` hands down as it is wanted is inherited, and not set once more.
    """
    if name is None:
        return chosen
    choices = preset(name).of_kind(kind)
    return {one.property: one.value for one in choices if not handed_down(one, above)} | chosen


def handed_down(choice: Choice, above: Dataset | None) -> bool:
    """Whether a dataset below `above` has the value by itself."""
    value = above.value(choice.property) if above and choice.property not in _NOT_INHERITED else None
    return value is not None and value == _SHOWN.get(choice.value, choice.value)
