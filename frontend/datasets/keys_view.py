"""Locks of encrypted datasets, as values for the eye."""

from __future__ import annotations

from typing import Literal

import msgspec

from frontend.states import StateView
from host.inventory import Dataset, Inventory
from pools.keys.roots import format_of, is_locked, is_root, locked_roots, opened_by, root_of


class KeyView(msgspec.Struct, frozen=True, kw_only=True):
    """What the encryption section of a dataset shows."""

    name: str
    encrypted: bool
    locked: bool
    root: str  # whose key opens it
    own: bool  # it has the key itself
    asks: Literal["passphrase", "key"]
    cipher: str
    iterations: int
    along: int  # datasets that open with it
    below: tuple[str, ...]  # that are locked too and have keys of their own
    above: str  # the encrypted dataset above that it could share the key of
    state: StateView


def key_view(dataset: Dataset, inventory: Inventory) -> KeyView:
    """The lock of one dataset."""
    root = root_of(dataset)
    parent = inventory.dataset(dataset.parent) if dataset.parent else None
    above = root_of(parent) if parent else None
    return KeyView(
        name=dataset.name,
        encrypted=root is not None,
        locked=is_locked(dataset),
        root=root or "",
        own=is_root(dataset),
        asks="passphrase" if format_of(dataset) == "passphrase" else "key",
        cipher=(dataset.value("encryption") or "").upper(),
        iterations=dataset.number("pbkdf2iters"),
        along=len(opened_by(dataset.name, inventory)) - 1 if is_root(dataset) else 0,
        below=tuple(one.name for one in locked_roots(inventory) if one.name.startswith(f"{dataset.name}/")),
        above=above or "",
        state=lock_state(dataset),
    )


class LockedView(msgspec.Struct, frozen=True, kw_only=True):
    """A locked encryption root."""

    name: str
    asks: Literal["passphrase", "key"]
    along: int
    used: int


def locked_views(inventory: Inventory) -> tuple[LockedView, ...]:
    """All that wait to be unlocked."""
    return tuple(
        LockedView(
            name=one.name,
            asks="passphrase" if format_of(one) == "passphrase" else "key",
            along=len(opened_by(one.name, inventory)) - 1,
            used=one.number("used"),
        )
        for one in locked_roots(inventory)
    )


def lock_state(dataset: Dataset) -> StateView:
    """Locked, unlocked, or not encrypted: an icon and a word."""
    if root_of(dataset) is None:
        return StateView(tone="idle", icon="lock-open", word="not encrypted")
    if is_locked(dataset):
        return StateView(tone="warn", icon="lock", word="locked")
    return StateView(tone="good", icon="lock-open", word="unlocked")
