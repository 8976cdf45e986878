"""md arrays made by hand."""

from __future__ import annotations

from typing import Any

import msgspec

from host.inventory import ArrayMember, DiskClaim, Inventory, MdArray, Partition
from tests import made

UUID = "3b56a844:7ebe6c17:64484b23:01aa8fd7"
LINK = "/dev/disk/by-id/md-name-any:backup"
NODE = "/dev/md127"
_PART = made.WD_BYTES - (2 << 30)


def member(number: int, **changes: Any) -> ArrayMember:
    """The first partition of `made.disk(number)`, in sync."""
    values: dict[str, Any] = {
        "path": f"/dev/sd{number}1", "disk": made.disk(number).id, "partition": 1, "slot": number - 1,
        "state": "in sync",
    }  # fmt: skip
    return ArrayMember(**(values | changes))


def array(*members: ArrayMember, **changes: Any) -> MdArray:
    """A mirror called backup, mounted at /mnt/backup."""
    values: dict[str, Any] = {
        "name": "backup", "kname": "md127", "path": LINK, "uuid": UUID, "level": "raid1", "metadata": "1.2",
        "size_bytes": 2_900_000_000_000, "wanted": 2, "state": "clean", "members": members, "bitmap": True,
        "mismatches": 0, "fstype": "ext4", "label": "backup", "mountpoints": ("/mnt/backup",),
    }  # fmt: skip
    return MdArray(**(values | changes))


def machine(*arrays: MdArray, disks: int = 6) -> Inventory:
    """Members' disks are in use, the others are blank."""
    taken = {one.disk for each in arrays for one in each.members}
    claim = DiskClaim(kind="md", words="md member of md127", active=True)
    part = Partition(number=1, path="/dev/sdx1", size_bytes=_PART, fstype="linux_raid_member")
    found = [
        made.disk(n, claims=(claim,), partitions=(part,)) if made.disk(n).id in taken else made.disk(n)
        for n in range(1, disks + 1)
    ]
    return msgspec.structs.replace(made.inventory(*found), arrays=arrays)


def exported() -> Inventory:
    """A degraded array, and the disk that was its second member, back in its bay."""
    claim = DiskClaim(kind="md", words="member of an md array that is not running", active=True, idle=True)
    part = Partition(
        number=1, path="/dev/sdb1", size_bytes=_PART, fstype="linux_raid_member",
        uuid="3b56a844-7ebe-6c17-6448-4b2301aa8fd7",
    )  # fmt: skip
    inventory = machine(array(member(1)))
    back = made.disk(2, claims=(claim,), partitions=(part,))
    return msgspec.structs.replace(inventory, disks=(inventory.disks[0], back, *inventory.disks[2:]))
