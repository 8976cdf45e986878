"""pool.create: a new pool on prepared disks."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from host.commands.pools.zpool import Role, VdevSpec, ZpoolCreate
from host.inventory import Disk, Inventory
from host.inventory.redundancy import VITAL
from host.layouts import Layout, survives
from jobs.plan import Plan, Step
from jobs.planning.findings import Findings
from jobs.planning.words import sentences
from pools import preparation
from pools.disk_choice import choose
from pools.keys.new_key import Cipher, Iterations, KeyRequest, new_key
from pools.keys.typed import Key, Passphrase
from pools.mounting import check_place
from pools.names import pool_name_fault
from pools.phrases import bays, erased, space, vdevs_named
from pools.pool_properties import check_pool_properties
from pools.properties import check_properties
from pools.redundancy import Member, check_redundancy, needs_force
from pools.sectors import check_ashift
from pools.suitability import check_suitability
from pools.unwell import AcceptUnwell, check_unwell

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
    """Create a pool. What is left out gets the defaults that the plan shows.

    With a `passphrase` or a `key` (64 hex digits) its root is encrypted by that, and so is all below it.
    """

    name: _Text
    vdevs: Annotated[tuple[NewVdev, ...], Meta(min_length=1, max_length=255)]
    ashift: Annotated[int, Meta(ge=9, le=16)] | None = None  # sectors of 2**ashift bytes
    properties: dict[_Text, _Text] = {}
    root_properties: dict[_Text, _Text] = {}
    mountpoint: _Text | None = None  # /mnt/<name> when left out
    encryption: Cipher | None = None
    passphrase: Passphrase | None = None
    key: Key | None = None
    pbkdf2iters: Iterations | None = None
    accept_unwell: AcceptUnwell = ()


def plan(request: CreatePool, inventory: Inventory) -> Plan:
    """Raises `Refused` with all that is wrong with the name, the disks, the layout or the properties."""
    findings = Findings()
    mountpoint = request.mountpoint if request.mountpoint is not None else f"/mnt/{request.name}"
    _check_name(request, mountpoint, inventory, findings)
    chosen = choose([vdev.disks for vdev in request.vdevs], inventory, findings)
    disks = tuple(disk for vdev in chosen for disk in vdev)
    vdevs = list(zip(request.vdevs, chosen, strict=True))
    members: list[Member] = [(vdev.role, vdev.layout, its) for vdev, its in vdevs]
    check_unwell(disks, request.accept_unwell, findings)
    check_redundancy(members, findings)
    ashift = check_ashift(request.ashift, disks, findings)
    check_suitability(members, inventory, findings, ashift=ashift)
    properties = {
        "ashift": str(ashift),
        "autoexpand": "on",
        "autotrim": _autotrim(disks),
    } | request.properties
    root_properties = ROOT_DEFAULTS | request.root_properties
    check_pool_properties(request.properties, "properties", findings)
    table = inventory.facts.native
    check_properties(request.root_properties, "root_properties", findings, kind="filesystem", table=table)
    asked = KeyRequest(
        encryption=request.encryption,
        passphrase=request.passphrase,
        key=request.key,
        iterations=request.pbkdf2iters,
    )
    key = new_key(request.name, asked, None, findings)
    findings.refuse_on_error()
    create = ZpoolCreate(
        name=request.name,
        mountpoint=mountpoint,
        properties=properties,
        root_properties=root_properties | key.properties,
        force=needs_force(members),
        secret=key.secret,
        vdevs=tuple(
            VdevSpec(
                role=vdev.role,
                layout=vdev.layout,
                devices=tuple(preparation.partition_link(disk) for disk in its),
            )
            for vdev, its in vdevs
        ),
    )
    steps = (preparation.prepare(disks), Step(title=f"Create pool {request.name}", commands=(create,)))
    return Plan(
        operation="pool.create",
        steps=steps,
        summary=_summary(create, members, disks, ashift, request),
        findings=findings.all(),
        claims=(f"pool:{request.name}", *(f"disk:{disk.id}" for disk in disks)),
    )


def _summary(
    create: ZpoolCreate, members: list[Member], disks: tuple[Disk, ...], ashift: int, request: CreatePool
) -> str:
    where = bays(disks)
    at = f" at {create.mountpoint}" if create.mountpoint.startswith("/") else ""
    least = min(survives(layout, len(its)) for role, layout, its in members if role in VITAL)
    if least:
        safety = f"any {'one' if least == 1 else least} of its disks may fail without loss"
    elif len(disks) == 1:
        safety = "if that disk fails, everything in it is lost"
    else:
        safety = "the failure of a single disk can lose everything in it"
    key = "passphrase is entered" if request.passphrase is not None else "key is loaded"
    return sentences(
        f"{create.name} is created from {vdevs_named(members)}{f' ({where})' if where else ''}, with "
        f"{space(members, ashift=ashift)} for files{at}; {safety}.",
        f"It is encrypted, and stays locked after every start until its {key}." if create.secret else "",
        erased(disks),
    )


def _check_name(request: CreatePool, mountpoint: str, inventory: Inventory, findings: Findings) -> None:
    name = request.name
    if fault := pool_name_fault(name):
        findings.error("bad-name", "name", fault)
    elif inventory.pool(name):
        findings.error("name-taken", "name", f"There is a pool {name} already. Choose another name.")
    elif any(c.pool == name and c.active for disk in inventory.disks for c in disk.claims):
        message = f"An exported pool {name} is on disks in this machine. Import it, or choose another name."
        findings.error("name-taken", "name", message)
    if request.mountpoint is None and pool_name_fault(name):
        return
    check_place(name, mountpoint, "mountpoint", findings)
    if "mountpoint" in request.root_properties:
        findings.error("wrong-place", "root_properties.mountpoint", "Give the folder as mountpoint.")
    for dataset in inventory.datasets:
        if mountpoint.startswith("/") and dataset.value("mountpoint") == mountpoint:
            message = f"{dataset.name} is mounted at {mountpoint}. Choose another folder."
            findings.error("mountpoint-taken", "mountpoint", message)


def _autotrim(disks: tuple[Disk, ...]) -> str:
    return "on" if disks and all(disk.medium == "ssd" for disk in disks) else "off"
