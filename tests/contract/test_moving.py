"""Datasets that get another name, clones that are promoted, and values that are received."""

from __future__ import annotations

import pytest

from host.commands.datasets.datasets import ZfsRename
from host.commands.datasets.snapshots import ZfsSnapshot
from host.commands.datasets.zfs import ZfsCreate, ZfsInherit, ZfsSet, ZfsUnmount
from host.inventory import Property
from tests.contract.bench import POOL, Bench


@pytest.mark.core
def test_a_new_name_takes_along_what_is_below_and_moves_what_inherits_its_place(tank: Bench) -> None:
    top = tank.fresh()
    for name in (f"{top}/a", f"{top}/a/low", f"{top}/b"):
        tank.host.run(ZfsCreate(name=name))
    fixed = f"/mnt/{POOL}-fixed"
    tank.host.run(ZfsCreate(name=f"{top}/a/fixed", properties={"mountpoint": fixed}))
    tank.host.run(ZfsSnapshot(names=(f"{top}/a@one",)))
    tank.host.run(ZfsSet(name=f"{top}/b", properties={"sync": "always"}))
    tank.host.run(ZfsRename(name=f"{top}/a", to=f"{top}/b/c"))
    assert tank.below(top) == ["b", "b/c", "b/c/fixed", "b/c/low"]
    low = tank.dataset(f"{top}/b/c/low")
    place = f"/mnt/{POOL}{top.removeprefix(POOL)}/b/c/low"
    assert (low.value("mountpoint"), low.mounted) == (place, True)
    assert low.properties["sync"] == Property(value="always", source="inherited", inherited_from=f"{top}/b")
    assert tank.value(f"{top}/b/c/fixed", "mountpoint") == Property(value=fixed, source="local")
    assert tank.dataset(f"{top}/b/c/fixed").mounted


def test_what_keeps_its_mounts_is_mounted_all_the_same(tank: Bench) -> None:
    name = tank.fresh()
    tank.host.run(ZfsCreate(name=f"{name}/a"))
    tank.host.run(ZfsRename(name=f"{name}/a", to=f"{name}/b", keep_mounts=True))
    assert tank.dataset(f"{name}/b").mounted
    tank.host.run(ZfsUnmount(name=f"{name}/b"))


def test_what_is_not_mounted_stays_so_under_another_name(tank: Bench) -> None:
    name = tank.fresh()
    tank.host.run(ZfsCreate(name=f"{name}/a"))
    tank.host.run(ZfsUnmount(name=f"{name}/a"))
    tank.host.run(ZfsRename(name=f"{name}/a", to=f"{name}/b"))
    assert not tank.dataset(f"{name}/b").mounted


@pytest.mark.parametrize(
    ("to", "said"),
    [
        ("{fs}/b", "dataset already exists"),
        ("{fs}/none/x", "parent does not exist"),
        ("contract9/x", "no such pool 'contract9'"),
        ("{fs}/a/below", "New dataset name cannot be a descendant of current dataset name"),
        ("{fs}/vol/x", "parent is not a filesystem"),
    ],
)
def test_a_name_that_cannot_be_had_is_refused(tank: Bench, to: str, said: str) -> None:
    fs = tank.fresh()
    for child in ("a", "b"):
        tank.host.run(ZfsCreate(name=f"{fs}/{child}"))
    tank.host.run(ZfsCreate(name=f"{fs}/vol", volume_bytes=1 << 24, sparse=True))
    refused = tank.refuse(ZfsRename(name=f"{fs}/a", to=to.format(fs=fs)))
    assert refused.exit == 1
    assert said in refused.stderr
    assert tank.below(fs) == ["a", "b", "vol"]


def test_nothing_was_received_so_that_there_is_nothing_to_go_back_to(tank: Bench) -> None:
    name = tank.fresh(compression="zstd", quota="1G")
    tank.host.run(ZfsInherit(name=name, property="compression", received=True))
    assert tank.value(name, "compression") == Property(value="lz4", source="inherited", inherited_from=POOL)
    tank.host.run(ZfsInherit(name=name, property="quota", received=True))
    assert tank.value(name, "quota") == Property(value="0", source="default")
