"""What a state is called, and how it is drawn: a tone, an icon and a word, never a colour alone."""

from __future__ import annotations

from typing import Literal

import msgspec

from host.inventory import Disk, Pool, Vdev

Tone = Literal["good", "warn", "bad", "busy", "idle"]


class StateView(msgspec.Struct, frozen=True, kw_only=True):
    """A state for the eye: `tone` chooses colour and shape, `icon` names an icon, `word` says it."""

    tone: Tone
    icon: str
    word: str


_ICONS: dict[Tone, str] = {
    "good": "circle-check",
    "warn": "triangle-alert",
    "bad": "circle-x",
    "busy": "loader-circle",
    "idle": "circle-dashed",
}
_POOL: dict[str, tuple[Tone, str]] = {
    "healthy": ("good", "online"),
    "degraded": ("warn", "degraded"),
    "faulted": ("bad", "faulted"),
    "suspended": ("bad", "suspended"),
}
_LEAF: dict[str, tuple[Tone, str]] = {
    "ONLINE": ("good", "online"),
    "AVAIL": ("good", "spare"),
    "INUSE": ("busy", "spare at work"),
    "DEGRADED": ("warn", "degraded"),
    "OFFLINE": ("warn", "offline"),
    "FAULTED": ("bad", "faulted"),
    "UNAVAIL": ("bad", "unavailable"),
    "REMOVED": ("bad", "removed"),
}
_JOB: dict[str, tuple[Tone, str]] = {
    "queued": ("idle", "queued"),
    "waiting": ("idle", "waiting"),
    "running": ("busy", "running"),
    "succeeded": ("good", "done"),
    "failed": ("bad", "failed"),
    "aborted": ("warn", "aborted"),
    "interrupted": ("warn", "interrupted"),
    "skipped": ("idle", "not run"),
}


def pool_state(pool: Pool) -> StateView:
    """The pool's health in a word; ZFS' own word where ours would hide that nothing is wrong with it."""
    tone, word = _POOL.get(pool.health, ("idle", "unknown"))
    if pool.health == "degraded" and pool.state == "ONLINE":
        word = "online, with errors"
    return tone_view(tone, word)


def vdev_state(vdev: Vdev) -> StateView:
    """The state of a node of a pool's tree; errors that were counted show."""
    tone, word = _LEAF.get(vdev.state, ("idle", vdev.state.lower()))
    if vdev.state == "ONLINE" and (vdev.read_errors or vdev.write_errors or vdev.checksum_errors):
        return tone_view("warn", "online, with errors")
    return tone_view(tone, word)


def disk_state(disk: Disk, leaf: Vdev | None) -> StateView:
    """What a disk does: its part in a pool, else what claims it, else that it is free."""
    if leaf is not None:
        return vdev_state(leaf)
    if disk.health == "failing":
        return tone_view("bad", "failing")
    if disk.free:
        return tone_view("idle", "free")
    if disk.carries_system:
        return tone_view("good", "system")
    if disk.in_use:
        return tone_view("good", "in use")
    return tone_view("idle", "holds data")


def job_state(state: str) -> StateView:
    """The state of a job or of one of its steps."""
    return tone_view(*_JOB.get(state, ("idle", state)))


def tone_view(tone: Tone, word: str) -> StateView:
    """A state of that tone, with the tone's icon."""
    return StateView(tone=tone, icon=_ICONS[tone], word=word)
