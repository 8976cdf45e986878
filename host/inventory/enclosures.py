"""Enclosures that report their slots (SES), and our own long-running units."""

from __future__ import annotations

from typing import Literal

import msgspec


class Slot(msgspec.Struct, frozen=True, kw_only=True):
    """A slot of an enclosure, as the kernel shows it under /sys/class/enclosure."""

    path: str  # the component's folder under /sys/devices, where `locate` is written
    folder: str  # its name, which vendors get wrong: display text only
    number: int | None  # from its `slot` file; None where there is none
    hctl: str | None = None  # of the SCSI device in it, such as 0:0:3:0
    locating: bool | None = None  # None where it has no such light
    faulty: bool | None = None


class Enclosure(msgspec.Struct, frozen=True, kw_only=True):
    """An enclosure. Two expanders may report one `id`; `hctl` distinguishes them until the next start."""

    id: str  # logical identifier from its `id` file, else its hctl
    hctl: str
    slots: tuple[Slot, ...]


class Unit(msgspec.Struct, frozen=True, kw_only=True):
    """Work of our own that outlives the worker: a transient systemd unit on one disk."""

    kind: Literal["blink", "burn-in"]
    serial: str  # of the disk it works on
    state: Literal["running", "succeeded", "failed"]
