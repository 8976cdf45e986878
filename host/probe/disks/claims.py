"""What claims a disk, in words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from host.base import Host
from host.inventory import DiskClaim, Pool, leaves
from host.inventory.disks import ClaimKind
from host.probe.disks.disks import Links
from host.probe.disks.holders import held, holders, is_partition, users
from host.probe.disks.labels import Labels

_SYSTEM = {"/", "/boot", "/boot/efi", "/usr", "/var"}
_ZFS_TYPE = "6a898cc3-1dd2-11b2-99a6-080020736631"  # GPT type BF01, which we write for ZFS
_RAID_TYPE = "a19d880f-05fc-4d3b-a006-743f0f84911e"  # FD00: for members of md arrays, which blkid knows
_RESERVED_TYPE = "6a945a3b-1dd2-11b2-99a6-080020736631"  # the 8 MiB part9 that zpool itself writes


def claims_of(
    device: dict[str, Any],
    links: Links,
    pool: Pool | None,
    pools: tuple[Pool, ...],
    host: Host,
    labels: Labels,
) -> tuple[DiskClaim, ...]:
    """Everything on `device` that stands in the way of taking it; empty when it is free. `pool` is the one
    that uses it, `pools` are all that are imported."""
    found: list[DiskClaim] = []
    if pool is not None:
        words = f"member of pool {pool.name}"
        found.append(DiskClaim(kind="pool", words=words, active=True, pool=pool.name, pool_guid=pool.guid))
    for node in (device, *filter(is_partition, device.get("children", ()))):
        if pool is None or node["fstype"] not in {"zfs_member", None}:
            found.extend(_node_claims(node, links, pools, host, labels))
        found.extend(held(node))
    return tuple(dict.fromkeys(found))


def _node_claims(
    node: dict[str, Any], links: Links, pools: tuple[Pool, ...], host: Host, labels: Labels
) -> Iterator[DiskClaim]:
    built = list(users(node))
    points = [point for user in built for point in user["mountpoints"] if point]
    if system := sorted(_SYSTEM & set(points)):
        yield DiskClaim(kind="boot", words=f"the running system ({', '.join(system)})", active=True)
    elif "[SWAP]" in points:
        yield DiskClaim(kind="swap", words="swap in use", active=True)
    elif points:
        yield DiskClaim(kind="mounted", words=f"{_content(node)}, mounted at {points[0]}", active=True)
    match node["fstype"]:
        case None:
            if _unknown_partition(node):
                words = f"partition {node['partn']} of {_size(node['size'])} with unknown content"
                yield DiskClaim(kind="partition-table", words=words, active=False)
        case "linux_raid_member":
            arrays = sorted({user["name"] for user in built if user["type"].startswith("raid")})
            words = f"md member of {arrays[0]}" if arrays else "member of an md array that is not running"
            yield DiskClaim(kind="md", words=words, active=True, idle=len(built) == 1)
        case "LVM2_member":
            yield DiskClaim(kind="lvm", words="LVM physical volume", active=True, idle=len(built) == 1)
        case "crypto_LUKS":
            yield DiskClaim(kind="luks", words="LUKS encrypted volume", active=True, idle=len(built) == 1)
        case "swap":
            if "[SWAP]" not in points:
                yield DiskClaim(kind="swap", words="swap space, not in use", active=True, idle=True)
        case "zfs_member":
            yield from _zfs(node, links, pools, host, labels)
        case _ if not points:
            yield DiskClaim(kind="filesystem", words=f"{_content(node)}, not mounted", active=False)


def _zfs(
    node: dict[str, Any], links: Links, pools: tuple[Pool, ...], host: Host, labels: Labels
) -> Iterator[DiskClaim]:
    name, guid = node["label"] or "without a name", node["uuid"] or ""
    link = next((f"/dev/disk/by-id/{name}" for name in links.by_id.get(node["path"], ())), None)
    label = None if link is None else labels.read(host, link, guid)
    if label is not None and label.nobodys:
        return
    # A whole disk can show the label of its partition a second time; the partition is asked instead.
    if node["type"] == "disk" and any(child["fstype"] == "zfs_member" for child in node.get("children", ())):
        return
    vdev = None if label is None else label.guid
    owner = next((pool for pool in pools if pool.guid == guid), None)
    here = owner is not None and vdev in {leaf.guid for top in owner.vdevs for leaf in leaves(top)}
    words, active = f"exported pool {name}", True
    kind: ClaimKind = "exported-pool"
    if owner is not None and here:
        kind, words = "pool", f"member of pool {owner.name} that ZFS does not reach"
    elif label is not None and (label.left or owner is not None):
        # Replaced or detached, by ZFS itself or while the disk was missing: no import counts it any more.
        kind, words, active = "former-member", f"old label of pool {name}, which it has left", False
    yield DiskClaim(
        kind=kind, words=words, active=active, idle=active and owner is None, pool=node["label"],
        pool_guid=guid, vdev_guid=vdev,
    )  # fmt: skip


def _unknown_partition(node: dict[str, Any]) -> bool:
    # Extended partitions hold nothing, nor do those for ZFS and md where nothing is recognised.
    kinds = {_ZFS_TYPE, _RAID_TYPE, _RESERVED_TYPE, "0x5", "0xf"}
    return node["type"] == "part" and node["parttype"] not in kinds and not holders(node)


def _content(node: dict[str, Any]) -> str:
    label = f" “{node['label']}”" if node["label"] else ""
    return f"{node['fstype'] or 'unknown'} file system{label}, {_size(node['size'])}"


def _size(size_bytes: int) -> str:
    size, units = float(size_bytes), ["B", "KiB", "MiB", "GiB", "TiB", "PiB"]
    while size >= 1024 and len(units) > 1:
        size /= 1024
        units.pop(0)
    return f"{size:.1f} {units[0]}" if units[0] != "B" else f"{size_bytes} B"
