"""pool.create: a new pool on prepared disks."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from host.commands import VdevSpec, ZpoolCreate
from host.commands.zpool import Layout, Role
from host.inventory import Disk, Inventory
from jobs.findings import Findings
from jobs.plan import Plan, Step
from pools import preparation
from pools.disk_choice import choose
from pools.names import mountpoint_fault, pool_name_fault
from pools.properties import check_pool_properties, check_properties
from pools.redundancy import check_redundancy, needs_force

ROOT_DEFAULTS = {
    "compression": "lz4",
    "atime": "off",
    "xattr": "sa",
    "acltype": "posixacl",
    "dedup": "off",
}
_Text = Annotated[str, Meta(max_length=1024)]


class NewVdev(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A vdev to be made of `disks` (ids under /dev/disk/by-id)."""

    role: Role = "data"
    layout: Layout
    disks: Annotated[tuple[_Text, ...], Meta(min_length=1, max_length=255)]


class CreatePool(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Create a pool. What is left out gets the defaults that the plan shows."""

    name: _Text
    vdevs: Annotated[tuple[NewVdev, ...], Meta(min_length=1, max_length=255)]
    ashift: Annotated[int, Meta(ge=9, le=16)] | None = None  # sectors of 2**ashift bytes
    properties: dict[_Text, _Text] = {}
    root_properties: dict[_Text, _Text] = {}
    mountpoint: _Text | None = None  # /mnt/<name> when left out


def plan(request: CreatePool, inventory: Inventory) -> Plan:
    """Raises `Refused` with all that is wrong with the name, the disks, the layout or the properties."""
    findings = Findings()
    mountpoint = request.mountpoint if request.mountpoint is not None else f"/mnt/{request.name}"
    _check_name(request, mountpoint, inventory, findings)
    chosen = choose([vdev.disks for vdev in request.vdevs], inventory, findings)
    disks = tuple(disk for vdev in chosen for disk in vdev)
    vdevs = list(zip(request.vdevs, chosen, strict=True))
    check_redundancy([(vdev.role, vdev.layout, members) for vdev, members in vdevs], findings)
    ashift = _ashift(request, disks, findings)
    properties = {
        "ashift": str(ashift),
        "autoexpand": "on",
        "autotrim": _autotrim(disks),
    } | request.properties
    root_properties = ROOT_DEFAULTS | request.root_properties
    check_pool_properties(request.properties, "properties", findings)
    check_properties(request.root_properties, "root_properties", findings, kind="filesystem")
    findings.refuse_on_error()
    create = ZpoolCreate(
        name=request.name,
        mountpoint=mountpoint,
        properties=properties,
        root_properties=root_properties,
        force=needs_force([(vdev.role, vdev.layout, members) for vdev, members in vdevs]),
        vdevs=tuple(
            VdevSpec(
                role=vdev.role,
                layout=vdev.layout,
                devices=tuple(preparation.partition_link(disk) for disk in members),
            )
            for vdev, members in vdevs
        ),
    )
    steps = (preparation.prepare(disks), Step(title=f"Create pool {request.name}", commands=(create,)))
    return Plan(
        operation="pool.create",
        steps=steps,
        findings=findings.all(),
        claims=(f"pool:{request.name}", *(f"disk:{disk.id}" for disk in disks)),
    )


def _check_name(request: CreatePool, mountpoint: str, inventory: Inventory, findings: Findings) -> None:
    name = request.name
    if fault := pool_name_fault(name):
        findings.error("bad-name", "name", fault)
    elif inventory.pool(name):
        findings.error("name-taken", "name", f"There is a pool {name} already. Choose another name.")
    elif any(claim.pool == name for disk in inventory.disks for claim in disk.claims):
        message = f"An exported pool {name} is on disks in this machine. Import it, or choose another name."
        findings.error("name-taken", "name", message)
    if request.mountpoint is None and pool_name_fault(name):
        return
    if fault := mountpoint_fault(mountpoint):
        findings.error("bad-mountpoint", "mountpoint", fault)
    for dataset in inventory.datasets:
        if mountpoint.startswith("/") and dataset.value("mountpoint") == mountpoint:
            message = f"{dataset.name} is mounted at {mountpoint}. Choose another folder."
            findings.error("mountpoint-taken", "mountpoint", message)


def _ashift(request: CreatePool, disks: tuple[Disk, ...], findings: Findings) -> int:
    sector = max((disk.physical_sector_bytes for disk in disks), default=512)
    needed = sector.bit_length() - 1
    ashift = max(12, needed) if request.ashift is None else request.ashift
    if ashift < needed:
        message = (
            f"Disks with sectors of {sector} bytes need ashift {needed} or more; "
            f"with {ashift} every small write would be read, changed and written again, for ever."
        )
        findings.error("ashift-too-small", "ashift", message)
    elif ashift < 12:
        message = "Today's disks have 4096-byte sectors: they could never replace a disk here well. Use 12."
        findings.warning("ashift-below-12", "ashift", message)
    return ashift


def _autotrim(disks: tuple[Disk, ...]) -> str:
    return "on" if disks and all(disk.medium == "ssd" for disk in disks) else "off"
