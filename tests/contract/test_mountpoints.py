"""Where ZFS says that file systems are mounted, and what is found from that before anything is mounted."""

from __future__ import annotations

import pytest

from host.commands.base import Command
from host.commands.datasets.datasets import ZfsRename
from host.commands.datasets.snapshots import ZfsClone, ZfsSnapshot
from host.commands.datasets.zfs import ZfsCreate, ZfsInherit, ZfsListNames, ZfsMount, ZfsMountpoints, ZfsSet
from host.mount_guard import expected
from tests.contract.bench import POOL, Bench


def tree(tank: Bench) -> str:
    """A file system with a child that follows it, one with a place of its own, and a volume."""
    top = tank.fresh()
    tank.host.run(ZfsCreate(name=f"{top}/a"))
    tank.host.run(ZfsCreate(name=f"{top}/own", properties={"mountpoint": f"/mnt/{top}-own"}))
    tank.host.run(ZfsCreate(name=f"{top}/vol", volume_bytes=1 << 30, sparse=True))
    return top


def test_mount_points_are_reported_with_their_source(tank: Bench) -> None:
    top = tree(tank)
    said = tank.host.run(ZfsMountpoints(name=top, below=True)).stdout
    assert sorted(said.splitlines()) == [
        f"{top}\t/mnt/{top}\t-\tinherited from {POOL}",
        f"{top}/a\t/mnt/{top}/a\t-\tinherited from {POOL}",
        f"{top}/own\t/mnt/{top}-own\t-\tlocal",
    ]
    assert tank.host.run(ZfsMountpoints(name=top)).stdout.splitlines() == [
        f"{top}\t/mnt/{top}\t-\tinherited from {POOL}"
    ]
    listed = tank.host.run(ZfsListNames(below=top)).stdout.splitlines()
    assert [line.split("\t")[0] for line in listed] == [top, f"{top}/a", f"{top}/own", f"{top}/vol"]
    assert tank.refuse(ZfsListNames(below=f"{top}/no")).stderr.endswith("dataset does not exist\n")
    assert tank.refuse(ZfsMountpoints(name=f"{top}/no")).stderr.endswith("dataset does not exist\n")


@pytest.mark.core
def test_what_is_found_beforehand_is_what_comes_to_be(tank: Bench) -> None:
    top = tree(tank)
    other = tank.fresh()
    tank.host.run(ZfsSnapshot(names=(f"{top}/a@one",)))
    commands: tuple[Command, ...] = (
        ZfsSet(name=top, properties={"mountpoint": f"/mnt/{POOL}-put"}),
        ZfsInherit(name=top, property="mountpoint"),
        ZfsInherit(name=f"{top}/own", property="mountpoint"),
        ZfsClone(snapshot=f"{top}/a@one", name=f"{other}/copy"),
        ZfsCreate(name=f"{other}/new"),
        ZfsCreate(name=f"{other}/placed", properties={"mountpoint": f"/mnt/{POOL}-placed"}),
        ZfsRename(name=f"{top}/a", to=f"{other}/a"),
    )
    for command in commands:
        then = expected(command, tank.host)
        tank.host.run(command)
        assert then
        found = {one.name: one.value("mountpoint") for one in tank.datasets()}
        assert {name: found[name] for name in then} == then, command


def test_of_a_volume_nothing_is_mounted(tank: Bench) -> None:
    top = tree(tank)
    assert expected(ZfsMount(name=f"{top}/vol"), tank.host) == {}
    assert expected(ZfsRename(name=f"{top}/vol", to=f"{top}/disk"), tank.host) == {}
