"""Rules on roles, layouts and widths: what cannot be, and what should be thought over."""

from __future__ import annotations

from collections.abc import Sequence

from host.commands.pools.zpool import Role
from host.inventory import Disk
from host.layouts import ImpossibleLayout, Layout, draid, fewest_disks, kind, survives
from jobs.planning.findings import Findings
from pools.layouts import KINDS_OF_ROLE, fits

Member = tuple[Role, Layout, tuple[Disk, ...]]
_ALIKE_BYTES = 16 << 20  # ZPOOL_FUZZ: zpool calls members alike whose sizes differ by less
_VITAL: tuple[Role, ...] = ("data", "special", "dedup")  # losing such a vdev loses the pool


def check_redundancy(vdevs: Sequence[Member], findings: Findings) -> None:
    """Adds findings for the `vdevs` of a whole pool: role, layout and the disks that could be found."""
    check_vdevs(vdevs, findings)
    if not any(role == "data" for role, _, _ in vdevs):
        findings.error("no-data-vdev", "vdevs", "A pool needs at least one vdev of role data.")
    _check_together(vdevs, findings)
    _check_spares(vdevs, findings)


def check_vdevs(vdevs: Sequence[Member], findings: Findings) -> None:
    """Adds findings for each of `vdevs` by itself."""
    for index, (role, layout, disks) in enumerate(vdevs):
        field = f"vdevs[{index}]"
        if not fits(role, layout):
            allowed = " or ".join(KINDS_OF_ROLE[role])
            findings.error("layout-not-for-role", f"{field}.layout", f"A {role} vdev is a {allowed}.")
        elif len(disks) < (fewest := fewest_disks(layout)):
            message = f"A {layout} needs {fewest} disks or more; {len(disks)} can be used."
            findings.error("too-few-disks", f"{field}.disks", message)
        elif kind(layout) == "draid":
            _check_draid(layout, len(disks), field, findings)
        _check_sizes(layout, disks, field, findings)


def needs_force(vdevs: Sequence[Member]) -> bool:
    """True where zpool wants -f: vital vdevs that differ, or members of different sizes in one vdev.

    The plan has warned of both by then.
    """
    shapes = {(layout, len(disks)) for role, layout, disks in vdevs if role in _VITAL}
    stripes_only = {layout for layout, _ in shapes} == {"stripe"}
    uneven = any(layout != "stripe" and _spread(disks) > _ALIKE_BYTES for _, layout, disks in vdevs)
    return uneven or (len(shapes) > 1 and not stripes_only)


def _spread(disks: tuple[Disk, ...]) -> int:
    sizes = [disk.size_bytes for disk in disks]
    return max(sizes) - min(sizes) if sizes else 0


def _check_draid(layout: Layout, disks: int, field: str, findings: Findings) -> None:
    try:
        draid(layout, disks)
    except ImpossibleLayout as error:
        findings.error("impossible-draid", f"{field}.layout", str(error))


def _check_sizes(layout: Layout, disks: tuple[Disk, ...], field: str, findings: Findings) -> None:
    if layout != "stripe" and _spread(disks) > _ALIKE_BYTES:
        smallest = min(disks, key=lambda disk: disk.size_bytes)
        message = f"The disks differ in size: only as much of each is used as {smallest.id} has."
        findings.warning("mixed-sizes", f"{field}.disks", message)
    if layout == "raidz1" and len(disks) == 2:
        message = "A raidz1 of two disks holds no more than a mirror and is slower. Choose mirror."
        findings.warning("raidz1-of-two", f"{field}.layout", message)


def _check_together(vdevs: Sequence[Member], findings: Findings) -> None:
    vital = [(i, *vdev) for i, vdev in enumerate(vdevs) if vdev[0] in _VITAL and vdev[2]]
    strength = {i: survives(layout, len(disks)) for i, _, layout, disks in vital}
    if not strength:
        return
    if max(strength.values()) == 0:
        message = "No redundancy: the first disk failure loses the whole pool."
        findings.warning("no-redundancy", "vdevs", message)
        return
    for index, role, _, _ in vital:
        if strength[index] == 0:
            message = (
                f"This {role} vdev has no redundancy: its failure loses the whole pool, redundant or not."
            )
            findings.warning("single-disk-beside-redundant", f"vdevs[{index}]", message)
    data = {(layout, len(disks)) for _, role, layout, disks in vital if role == "data"}
    if len(data) > 1:
        shapes = ", ".join(sorted(f"{layout} of {count}" for layout, count in data))
        message = f"The data vdevs differ ({shapes}): the pool is as weak and as slow as the weakest."
        findings.warning("mixed-layouts", "vdevs", message)


def _check_spares(vdevs: Sequence[Member], findings: Findings) -> None:
    data = [disk.size_bytes for role, _, disks in vdevs if role == "data" for disk in disks]
    for index, (role, _, disks) in enumerate(vdevs):
        for place, disk in enumerate(disks):
            if role == "spare" and data and disk.size_bytes + _ALIKE_BYTES < max(data):
                message = f"{disk.id} is smaller than a data disk, so it could not replace it."
                findings.warning("spare-too-small", f"vdevs[{index}].disks[{place}]", message)
