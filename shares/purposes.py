"""What a share is for, and what follows from that unless somebody says otherwise."""

from __future__ import annotations

from typing import Any

import msgspec

from host.inventory.people import EVERYBODY
from host.inventory.shares import Purpose

_EVERYBODY = f"@{EVERYBODY}"


class PurposeOfShare(msgspec.Struct, frozen=True, kw_only=True):
    """A purpose in words, the values it starts from, and the preset of datasets that fits it."""

    name: Purpose
    title: str
    words: str
    values: dict[str, Any]
    preset: str


PURPOSES: tuple[PurposeOfShare, ...] = (
    PurposeOfShare(
        name="general",
        title="Files for people",
        words="Documents and everything else that several people work on together.",
        values={"recycle_bin": False},
        preset="general",
    ),
    PurposeOfShare(
        name="media",
        title="Media",
        words="Films, music and photos: everybody with an account may read, some may add.",
        values={"read": (_EVERYBODY,)},
        preset="media",
    ),
    PurposeOfShare(
        name="homes",
        title="A folder for each person",
        words="Everybody sees their own folder in it, created when they first connect.",
        values={"write": (_EVERYBODY,)},
        preset="general",
    ),
    PurposeOfShare(
        name="time-machine",
        title="Time Machine",
        words="Backups of Macs, which find it automatically. Without a size it fills all available space.",
        values={"macos": True, "previous_versions": False},
        preset="time-machine",
    ),
    PurposeOfShare(
        name="public",
        title="Public, to read",
        words="Everybody on the network may read it, without an account. Only writers can change things.",
        values={"guests": "read", "encryption": "off"},
        preset="general",
    ),
    PurposeOfShare(
        name="drop-box",
        title="Drop box",
        words="People drop files in and see only what they may read. Deleted files go to a recycle bin.",
        values={"write": (_EVERYBODY,), "recycle_bin": True, "audit": True},
        preset="general",
    ),
)


def purpose(name: str) -> PurposeOfShare:
    """The purpose of that name. Raises `KeyError`."""
    return {one.name: one for one in PURPOSES}[name]  # type: ignore[index]
