"""How many bytes a fresh pool offers: what OpenZFS 2.3 computes, to the byte.

Sources: vdev_metaslab_set_size(), vdev_set_deflate_ratio() and vdev_metaslab_init() in OpenZFS' vdev.c,
vdev_raidz_asize() in vdev_raidz.c, spa_get_slop_space() in spa_misc.c. dRAID has rules of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil
from typing import NamedTuple

from host.commands.zpool import Layout

_LABEL_STEP = 256 << 10  # a device is used in whole multiples of a label's size
LABELS_BYTES = 4608 << 10  # two labels and the boot block in front, two labels behind
_BLOCK = 128 << 10  # the block size that all predictions of space are made for
_SECTOR = 512
_PARITY: dict[Layout, int] = {"raidz1": 1, "raidz2": 2, "raidz3": 3}

_METASLAB_SHIFT = 29  # 512 MiB, unless that makes fewer than 16 or more than 200 metaslabs
_LARGEST_METASLAB_SHIFT = 34
_SMALLEST_METASLAB_SHIFT = 24
_FEWEST_METASLABS, _USUAL_METASLABS, _MOST_METASLABS = 16, 200, 1 << 17
_METASLABS_FOR_EMBEDDED_LOG = 64  # a vdev with more gives one of them to the intent log

_LEAST_SLOP, _MOST_SLOP = 128 << 20, 128 << 30


class Shape(NamedTuple):
    """One top-level vdev: its layout and the bytes of each member (a partition or a whole disk)."""

    layout: Layout
    device_bytes: tuple[int, ...]


class Space(NamedTuple):
    """What one top-level vdev brings, in bytes."""

    allocatable: int  # before it is cut into metaslabs, parity included
    metaslab_shift: int
    raw: int  # whole metaslabs, parity included: `size` in `zpool list`
    usable: int  # the same as file data in blocks of 128 KiB would fill it
    embedded_log: int  # of `usable`, set aside for the intent log


def shapes(layout: Layout, device_bytes: Sequence[int]) -> tuple[Shape, ...]:
    """The top-level vdevs that members in `layout` make: a stripe is one vdev for each."""
    if layout == "stripe":
        return tuple(Shape("stripe", (size,)) for size in device_bytes)
    return (Shape(layout, tuple(device_bytes)),)


def space_of(shape: Shape, *, ashift: int) -> Space:
    """What a top-level vdev brings with sectors of 2**ashift bytes."""
    leaf = (min(shape.device_bytes) // _LABEL_STEP) * _LABEL_STEP - LABELS_BYTES
    leaf = (leaf >> ashift) << ashift
    allocatable = leaf * (len(shape.device_bytes) if shape.layout in _PARITY else 1)
    shift = _metaslab_shift(allocatable)
    count = allocatable >> shift
    raw = count << shift
    embedded = (1 << shift) if count > _METASLABS_FOR_EMBEDDED_LOG else 0
    return Space(
        allocatable=allocatable,
        metaslab_shift=shift,
        raw=raw,
        usable=deflate(raw, shape, ashift=ashift),
        embedded_log=deflate(embedded, shape, ashift=ashift),
    )


def usable_bytes(vdevs: Sequence[Shape], *, ashift: int) -> int:
    """`available` plus `used` of a fresh pool with these data vdevs."""
    spaces = [space_of(vdev, ashift=ashift) for vdev in vdevs]
    embedded = sum(space.embedded_log for space in spaces)
    space = sum(space.usable for space in spaces) - embedded
    slop = min(space >> 5, _MOST_SLOP)
    slop -= min(embedded, slop >> 1)
    return space - max(slop, min(space >> 1, _LEAST_SLOP))


def deflate(raw_bytes: int, shape: Shape, *, ashift: int) -> int:
    """Raw bytes as file data in blocks of 128 KiB, in the steps of 1/512 that ZFS calculates in."""
    ratio = _BLOCK // (_allocated(_BLOCK, shape, ashift) // _SECTOR)
    return (raw_bytes // _SECTOR) * ratio


def _allocated(size: int, shape: Shape, ashift: int) -> int:
    """Bytes that a block of `size` takes: in RAIDZ with parity, padded to a multiple of parity + 1."""
    parity = _PARITY.get(shape.layout)
    if parity is None:
        return size
    sectors = ceil(size / (1 << ashift))
    sectors += parity * ceil(sectors / (len(shape.device_bytes) - parity))
    return ceil(sectors / (parity + 1)) * (parity + 1) << ashift


def _metaslab_shift(allocatable: int) -> int:
    count = allocatable >> _METASLAB_SHIFT
    if count < _FEWEST_METASLABS:
        shift = (allocatable // _FEWEST_METASLABS).bit_length()
    elif count > _USUAL_METASLABS:
        shift = (allocatable // _USUAL_METASLABS).bit_length()
    else:
        shift = _METASLAB_SHIFT
    if shift <= _LARGEST_METASLAB_SHIFT:
        return max(shift, _SMALLEST_METASLAB_SHIFT)
    if allocatable >> _LARGEST_METASLAB_SHIFT > _MOST_METASLABS:
        return (allocatable // _MOST_METASLABS).bit_length()
    return _LARGEST_METASLAB_SHIFT
