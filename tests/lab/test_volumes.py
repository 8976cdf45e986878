"""What is stored in a volume is never taken for something of the machine's own, when its pool is imported."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.lab.pool_life import PoolLab, until

pytestmark = pytest.mark.drill

ARRAY, GROUP, TWIN = VOLUMES = ("array", "group", "twin")


def _node(volume: str) -> str:
    return f"/dev/zvol/tank/{volume}"


def _root_uuid(lab: PoolLab) -> str:
    uuid: str = lab.machine.run("findmnt -no UUID /").stdout.strip()
    return uuid


@pytest.fixture(scope="module")
def lab(pool_lab: PoolLab) -> Iterator[PoolLab]:
    """A pool that was exported and came back, with an array, an LVM group and a twin of the system's own file
    system in its volumes; as a guest, another machine or a stranger would have made them."""
    run = pool_lab.machine.run
    pool_lab.create("tank", "stripe", 1)
    for volume in VOLUMES:
        pool_lab.console.do(
            "POST", "datasets/", {"name": f"tank/{volume}", "kind": "volume", "volume_bytes": 64 << 20}
        )
    run("udevadm settle")
    run(f"mdadm --create /dev/md/guest --level=1 --raid-devices=2 --run {_node(ARRAY)} missing < /dev/null")
    run("udevadm settle; mdadm --stop /dev/md/guest")
    run(f"pvcreate --quiet {_node(GROUP)} && vgcreate --quiet guest {_node(GROUP)}")
    run("lvcreate --quiet --name disk --extents 100%FREE guest && vgchange --quiet --activate n guest")
    run(f"mkfs.ext4 -q -U {_root_uuid(pool_lab)} {_node(TWIN)}")
    until(lambda: run("zpool export tank", check=False).exit == 0, limit_s=120, every_s=2)
    run("udevadm settle; zpool import -d /dev/disk/by-id tank; udevadm settle")
    yield pool_lab
    run("vgchange --activate n guest; mdadm --stop --scan", check=False)
    pool_lab.tidy()


def test_an_array_in_a_volume_is_not_assembled(lab: PoolLab) -> None:
    assert "zd" not in lab.machine.run("cat /proc/mdstat").stdout


def test_a_group_in_a_volume_is_not_activated(lab: PoolLab) -> None:
    assert "guest" not in lab.machine.run("dmsetup ls").stdout


def test_no_link_of_the_machines_disks_leads_to_a_volume(lab: PoolLab) -> None:
    links = lab.machine.run("find /dev/disk -type l -exec readlink -f {} +").stdout.split()
    assert [link for link in links if link.startswith("/dev/zd")] == []
    root = lab.machine.run("findmnt -no SOURCE /").stdout.strip()
    assert lab.machine.run(f"readlink -f /dev/disk/by-uuid/{_root_uuid(lab)}").stdout.strip() == root


def test_volumes_are_there_for_whoever_uses_them(lab: PoolLab) -> None:
    for volume in VOLUMES:
        assert lab.machine.run(f"blockdev --getsize64 {_node(volume)}").stdout.strip() == str(64 << 20)
    assert "TYPE=linux_raid_member" in lab.machine.run(f"blkid -p -o export {_node(ARRAY)}").stdout
