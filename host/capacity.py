"""How many bytes a fresh pool offers: what OpenZFS 2.3 computes, to the byte.

Sources: vdev_metaslab_set_size(), vdev_set_deflate_ratio() and vdev_metaslab_init() in OpenZFS' vdev.c,
vdev_raidz_asize() in vdev_raidz.c, spa_get_slop_space() in spa_misc.c; vdev_draid_open(), vdev_draid_asize()
and vdev_draid_metaslab_init() in vdev_draid.c. Special, dedup and log vdevs add nothing to what is offered.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import ceil, gcd
from typing import NamedTuple

from host.layouts import Layout, draid, kind, parity

_LABEL_STEP = 256 << 10  # a device is used in whole multiples of a label's size
LABELS_BYTES = 4608 << 10  # two labels and the boot block in front, two labels behind
_BLOCK = 128 << 10  # the block size that all predictions of space are made for
_SECTOR = 512
_DRAID_ROW = 16 << 20  # a dRAID uses its disks in whole rows of groups
_DRAID_RESERVE = 2 * _DRAID_ROW  # kept at each disk's end, for an expansion

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


@lru_cache(maxsize=512)  # advice compares dozens of layouts made of the same few vdevs
def space_of(shape: Shape, *, ashift: int) -> Space:
    """What a top-level vdev brings with sectors of 2**ashift bytes.

    Raises `host.layouts.ImpossibleLayout` for a dRAID that these members cannot make.
    """
    allocatable = _allocatable(shape, ashift)
    shift = _metaslab_shift(allocatable)
    count = allocatable >> shift
    raw = _whole_stripes(shape, ashift, shift, count)
    embedded = _whole_stripes(shape, ashift, shift, 1) if count > _METASLABS_FOR_EMBEDDED_LOG else 0
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
    block = block_bytes(_BLOCK, shape.layout, len(shape.device_bytes), ashift=ashift)
    ratio = _BLOCK // (block // _SECTOR)
    return (raw_bytes // _SECTOR) * ratio


def _allocatable(shape: Shape, ashift: int) -> int:
    leaf = max(0, (min(shape.device_bytes) // _LABEL_STEP) * _LABEL_STEP - LABELS_BYTES)
    leaf = (leaf >> ashift) << ashift
    match kind(shape.layout):
        case "raidz":
            return leaf * len(shape.device_bytes)
        case "draid":
            geometry = draid(shape.layout, len(shape.device_bytes))
            group = geometry.width * _DRAID_ROW
            leaf = max(0, leaf - _DRAID_RESERVE) // _DRAID_ROW * _DRAID_ROW
            return leaf * geometry.disks // group * group
        case _:
            return leaf


def _whole_stripes(shape: Shape, ashift: int, shift: int, count: int) -> int:
    """Bytes in `count` metaslabs of 2**shift. Those of a dRAID begin and end between two full stripes, so
    what lies across a border is lost; borders that fall between two stripes lose nothing."""
    if kind(shape.layout) != "draid":
        return count << shift
    stripe = draid(shape.layout, len(shape.device_bytes)).width << ashift
    even = stripe // gcd(stripe, 1 << shift)  # every so many borders fall between two stripes
    borders = max(0, count - 1)
    return ((count << shift) // stripe - borders + borders // even) * stripe


def block_bytes(size: int, layout: Layout, disks: int, *, ashift: int) -> int:
    """Bytes that a block of `size` takes: in RAIDZ with parity, padded to a multiple of parity + 1; in dRAID
    with parity in whole stripes; in a mirror as counted, once."""
    extra = parity(layout)
    if not extra:
        return size
    sectors = ceil(size / (1 << ashift))
    if kind(layout) == "draid":
        geometry = draid(layout, disks)
        return ceil(sectors / geometry.data) * geometry.width << ashift
    sectors += extra * ceil(sectors / (disks - extra))
    return ceil(sectors / (extra + 1)) * (extra + 1) << ashift


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
