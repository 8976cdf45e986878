"""File systems and volumes: what they inherit, what can be set, and how they go."""

from __future__ import annotations

import pytest

from host.commands.datasets.snapshots import ZfsSnapshot
from host.commands.datasets.zfs import ZfsCreate, ZfsDestroy, ZfsInherit, ZfsMount, ZfsSet, ZfsUnmount
from host.inventory import Dataset, Property
from host.probe.datasets.folders import Folders
from tests.contract.bench import POOL, Bench


@pytest.mark.core
def test_a_new_file_system_inherits_and_is_mounted(tank: Bench) -> None:
    name = tank.fresh()
    dataset = tank.dataset(name)
    assert (dataset.kind, dataset.mounted) == ("filesystem", True)
    inherited = {"compression": "lz4", "atime": "off", "xattr": "on", "acltype": "posix"}
    for prop, value in inherited.items():
        assert dataset.properties[prop] == Property(value=value, source="inherited", inherited_from=POOL)
    below = name.removeprefix(POOL)
    assert dataset.properties["mountpoint"] == Property(
        value=f"/mnt/{POOL}{below}", source="inherited", inherited_from=POOL
    )
    assert dataset.properties["recordsize"] == Property(value="131072", source="default")
    assert dataset.properties["quota"] == Property(value="0", source="default")
    assert dataset.properties["type"].source == "none"


def test_chosen_values_are_local_and_reach_children(tank: Bench) -> None:
    name = tank.fresh(compression="zstd", recordsize="1M", quota="10G", canmount="on")
    child = f"{name}/child"
    tank.host.run(ZfsCreate(name=child))
    assert tank.value(name, "compression") == Property(value="zstd", source="local")
    assert tank.value(name, "recordsize") == Property(value="1048576", source="local")
    assert tank.value(name, "quota") == Property(value=str(10 << 30), source="local")
    assert tank.value(child, "compression") == Property(value="zstd", source="inherited", inherited_from=name)
    # A quota is the dataset's own: it bounds its children, but is not theirs.
    assert tank.value(child, "quota") == Property(value="0", source="default")
    assert tank.dataset(child).number("available") <= 10 << 30


def test_setting_and_inheriting_again(tank: Bench) -> None:
    name = tank.fresh()
    tank.host.run(ZfsSet(name=name, properties={"compression": "gzip-9", "atime": "on", "sync": "disabled"}))
    assert tank.value(name, "compression") == Property(value="gzip-9", source="local")
    assert tank.value(name, "sync") == Property(value="disabled", source="local")
    for prop in ("compression", "sync"):
        tank.host.run(ZfsInherit(name=name, property=prop))
    assert tank.value(name, "compression") == Property(value="lz4", source="inherited", inherited_from=POOL)
    assert tank.value(name, "sync") == Property(value="standard", source="default")
    assert tank.value(name, "atime") == Property(value="on", source="local")


def test_inheriting_what_was_never_set_changes_nothing(tank: Bench) -> None:
    name = tank.fresh()
    tank.host.run(ZfsInherit(name=name, property="compression"))
    assert tank.value(name, "compression").source == "inherited"


def test_the_middle_of_a_line_decides_for_those_below(tank: Bench) -> None:
    top = tank.fresh()
    middle, low = f"{top}/middle", f"{top}/middle/low"
    for name in (middle, low):
        tank.host.run(ZfsCreate(name=name))
    tank.host.run(ZfsSet(name=middle, properties={"sync": "always"}))
    assert tank.value(low, "sync") == Property(value="always", source="inherited", inherited_from=middle)
    tank.host.run(ZfsInherit(name=middle, property="sync"))
    assert tank.value(low, "sync") == Property(value="standard", source="default")


def test_what_is_mounted_below_keeps_noatime_until_it_is_mounted_again(tank: Bench) -> None:
    top = tank.fresh()
    child = f"{top}/child"
    tank.host.run(ZfsCreate(name=child))
    tank.host.run(ZfsSet(name=top, properties={"atime": "on"}))
    assert tank.value(top, "atime") == Property(value="on", source="local")
    assert tank.value(child, "atime") == Property(value="off", source="temporary")
    tank.host.run(ZfsCreate(name=f"{top}/later"))
    assert tank.value(f"{top}/later", "atime") == Property(value="on", source="inherited", inherited_from=top)


@pytest.mark.core
def test_a_mountpoint_moves_all_below_it(tank: Bench) -> None:
    name = tank.fresh()
    child = f"{name}/child"
    tank.host.run(ZfsCreate(name=child))
    tank.host.run(ZfsSet(name=name, properties={"mountpoint": f"/mnt/{POOL}-moved"}))
    assert tank.value(child, "mountpoint") == Property(
        value=f"/mnt/{POOL}-moved/child", source="inherited", inherited_from=name
    )
    assert tank.dataset(child).mounted
    tank.host.run(ZfsSet(name=name, properties={"mountpoint": "none"}))
    assert tank.value(child, "mountpoint").value == "none"
    assert not tank.dataset(child).mounted
    tank.host.run(ZfsDestroy(name=name, recursive=True))


def test_what_cannot_be_mounted_is_not(tank: Bench) -> None:
    assert not tank.dataset(tank.fresh(canmount="off")).mounted
    assert not tank.dataset(tank.fresh(mountpoint="legacy")).mounted


def test_canmount_unmounts_at_once_and_mounts_nothing(tank: Bench) -> None:
    name = tank.fresh()
    tank.host.run(ZfsSet(name=name, properties={"canmount": "off"}))
    assert not tank.dataset(name).mounted
    tank.host.run(ZfsSet(name=name, properties={"canmount": "on"}))
    assert not tank.dataset(name).mounted


def test_user_properties_are_inherited(tank: Bench) -> None:
    name = tank.fresh(**{"nasweb:note": "kept for Anna"})
    child = f"{name}/child"
    tank.host.run(ZfsCreate(name=child))
    assert tank.value(name, "nasweb:note") == Property(value="kept for Anna", source="local")
    assert tank.value(child, "nasweb:note") == Property(
        value="kept for Anna", source="inherited", inherited_from=name
    )
    tank.host.run(ZfsInherit(name=name, property="nasweb:note"))
    assert "nasweb:note" not in tank.dataset(child).properties


def test_none_clears_a_quota(tank: Bench) -> None:
    name = tank.fresh(quota="1G")
    tank.host.run(ZfsSet(name=name, properties={"quota": "none"}))
    assert tank.value(name, "quota").value == "0"


def test_a_reservation_is_taken_from_the_rest(tank: Bench) -> None:
    name = tank.fresh()
    before = tank.dataset(POOL).number("available")
    tank.host.run(ZfsSet(name=name, properties={"reservation": "10G"}))
    after = tank.dataset(POOL).number("available")
    assert abs(before - after - (10 << 30)) < 16 << 20
    assert tank.dataset(name).number("available") > after
    tank.host.run(ZfsDestroy(name=name))


def test_a_volume_has_a_size_and_reserves_it(tank: Bench) -> None:
    thick, thin = f"{POOL}/thick", f"{POOL}/thin"
    tank.host.run(ZfsCreate(name=thick, volume_bytes=1 << 30))
    tank.host.run(ZfsCreate(name=thin, volume_bytes=1 << 30, sparse=True))
    reserved, sparse = tank.dataset(thick), tank.dataset(thin)
    assert (reserved.kind, reserved.number("volsize")) == ("volume", 1 << 30)
    assert reserved.properties["volblocksize"] == Property(value="16384", source="default")
    assert reserved.number("refreservation") > 1 << 30
    assert reserved.number("used") > 1 << 30
    assert sparse.number("refreservation") == 0
    assert sparse.number("used") < 16 << 20
    assert "mountpoint" not in sparse.properties
    tank.host.run(ZfsSet(name=thin, properties={"volsize": str(2 << 30)}))
    assert tank.dataset(thin).number("volsize") == 2 << 30
    for name in (thick, thin):
        tank.destroy_volume(name)


def test_the_size_of_a_volume_is_rounded_up_when_it_is_made_and_never_later(tank: Bench) -> None:
    name = f"{POOL}/odd"
    tank.host.run(ZfsCreate(name=name, volume_bytes=(1 << 30) + 512, sparse=True))
    assert tank.dataset(name).number("volsize") == (1 << 30) + 16384
    refused = tank.refuse(ZfsSet(name=name, properties={"volsize": str((1 << 30) + 512)}))
    assert "'volsize' must be a multiple of volume block size (16K)" in refused.stderr
    tank.destroy_volume(name)


def test_what_a_volume_reserves_includes_its_indirect_blocks(tank: Bench) -> None:
    name = f"{POOL}/reserving"
    tank.host.run(ZfsCreate(name=name, volume_bytes=(1 << 30) + 16384))
    assert tank.dataset(name).number("refreservation") == 1_092_894_720
    tank.destroy_volume(name)


def test_datasets_come_parents_first_and_by_name(tank: Bench) -> None:
    top = tank.fresh()
    for name in (f"{top}/b", f"{top}/a", f"{top}/a/z", f"{top}/a-b"):
        tank.host.run(ZfsCreate(name=name))
    assert tank.below(top) == ["a", "a-b", "a/z", "b"]


@pytest.mark.parametrize(
    ("name", "more", "said"),
    [
        ("{fs}", {}, "dataset already exists"),
        ("{fs}/no/child", {}, "parent does not exist"),
        ("contract9/fs", {}, "no such pool 'contract9'"),
        ("{fs}/x", {"properties": {"compression": "zip"}}, "'compression' must be one of"),
        ("{fs}/x", {"properties": {"nonsense": "1"}}, "invalid property 'nonsense'"),
        ("{fs}/x", {"properties": {"volsize": "1G"}}, "'volsize' does not apply to datasets of this type"),
        ("{fs}/x", {"properties": {"recordsize": "100K"}}, "'recordsize' must be power of 2"),
        ("{fs}/x", {"properties": {"quota": "many"}}, "bad numeric value 'many'"),
        ("{fs}/x", {"volume_bytes": 100 << 40}, "out of space"),
        (
            "{fs}/x",
            {"properties": {"refreservation": "auto"}},
            "'refreservation=auto' only allowed on volumes",
        ),
    ],
    ids=lambda value: str(value)[:40],
)
def test_a_bad_dataset_is_not_created(tank: Bench, name: str, more: dict[str, object], said: str) -> None:
    fs = tank.fresh()
    refused = tank.refuse(ZfsCreate(name=name.format(fs=fs), **more))  # type: ignore[arg-type]
    assert refused.exit == 1
    assert refused.stderr.startswith(f"cannot create '{name.format(fs=fs)}': ")
    assert said in refused.stderr
    assert tank.below(fs) == []


@pytest.mark.parametrize(
    ("prop", "value", "said"),
    [
        ("compression", "zip", "'compression' must be one of 'on | off | lzjb |"),
        ("atime", "maybe", "'atime' must be one of 'on | off'"),
        ("recordsize", "100K", "'recordsize' must be power of 2 from 512B to"),
        ("quota", "0", "use 'none' to disable quota/refquota"),
        ("used", "1", "'used' is readonly"),
        ("casesensitivity", "mixed", "'casesensitivity' is readonly"),
        ("nonsense", "1", "invalid property 'nonsense'"),
        ("volsize", "1G", "'volsize' does not apply to datasets of this type"),
        ("quota", "16K", "size is less than current used or reserved space"),
        ("reservation", "100T", "size is greater than available space"),
    ],
)
def test_a_bad_value_is_not_set(tank: Bench, prop: str, value: str, said: str) -> None:
    name = tank.fresh()
    before = tank.dataset(name).properties.get(prop)
    refused = tank.refuse(ZfsSet(name=name, properties={prop: value}))
    assert refused.exit != 0
    assert f"cannot set property for '{name}': " in refused.stderr
    assert said in refused.stderr
    assert tank.dataset(name).properties.get(prop) == before


def test_of_several_values_none_is_set_if_one_is_bad(tank: Bench) -> None:
    name = tank.fresh()
    tank.refuse(ZfsSet(name=name, properties={"atime": "on", "compression": "zip"}))
    assert tank.value(name, "atime").source == "inherited"


@pytest.mark.parametrize(
    ("prop", "said"),
    [
        ("quota", "'quota' property cannot be inherited"),
        ("canmount", "'canmount' property cannot be inherited"),
        ("used", "property is read-only"),
        ("nonsense", "invalid property 'nonsense'"),
    ],
)
def test_what_cannot_be_inherited_is_refused(tank: Bench, prop: str, said: str) -> None:
    refused = tank.refuse(ZfsInherit(name=tank.fresh(), property=prop))
    assert refused.exit != 0
    assert said in refused.stderr


def test_an_unknown_dataset_is_named(tank: Bench) -> None:
    gone = f"{POOL}/gone"
    for command in (
        ZfsSet(name=gone, properties={"atime": "on"}),
        ZfsInherit(name=gone, property="atime"),
        ZfsDestroy(name=gone),
        ZfsDestroy(name=gone, recursive=True),
    ):
        refused = tank.refuse(command)
        assert (refused.exit, refused.stderr) == (1, f"cannot open '{gone}': dataset does not exist\n")


def test_a_dataset_with_children_or_snapshots_goes_only_as_a_whole(tank: Bench) -> None:
    name = tank.fresh()
    child = f"{name}/child"
    tank.host.run(ZfsCreate(name=child))
    tank.host.run(ZfsSnapshot(names=(f"{child}@one",)))
    for target, listed in ((name, f"{child}@one\n{child}\n"), (child, f"{child}@one\n")):
        refused = tank.refuse(ZfsDestroy(name=target))
        assert refused.exit == 1
        assert refused.stderr == (
            f"cannot destroy '{target}': filesystem has children\n"
            f"use '-r' to destroy the following datasets:\n{listed}"
        )
    tank.host.run(ZfsDestroy(name=name, recursive=True))
    assert name not in {dataset.name for dataset in tank.datasets()}
    assert tank.below(name) == []


def test_the_root_of_a_pool_is_not_destroyed_as_a_dataset(tank: Bench) -> None:
    refused = tank.refuse(ZfsDestroy(name=POOL))
    assert refused.exit == 1
    assert "operation does not apply to pools" in refused.stderr


def test_a_name_is_free_again_after_destroying(tank: Bench) -> None:
    name = tank.fresh(compression="zstd")
    guid = tank.dataset(name).guid
    tank.host.run(ZfsDestroy(name=name))
    tank.host.run(ZfsCreate(name=name))
    assert tank.dataset(name).guid != guid
    assert tank.value(name, "compression").source == "inherited"


def test_a_file_system_is_unmounted_with_those_below_it_and_mounted_again(tank: Bench) -> None:
    name = tank.fresh()
    child = f"{name}/child"
    tank.host.run(ZfsCreate(name=child))
    mounted = tank.refuse(ZfsMount(name=name))
    assert (mounted.exit, mounted.stderr) == (1, f"cannot mount '{name}': filesystem already mounted\n")
    tank.host.run(ZfsUnmount(name=name))
    assert [tank.dataset(one).mounted for one in (name, child)] == [False, False]
    unmounted = tank.refuse(ZfsUnmount(name=name))
    assert (unmounted.exit, unmounted.stderr) == (1, f"cannot unmount '{name}': not currently mounted\n")
    tank.host.run(ZfsMount(name=name))
    assert [tank.dataset(one).mounted for one in (name, child)] == [True, False]
    assert tank.refuse(ZfsMount(name=f"{name}/none")).stderr.endswith("dataset does not exist\n")


def test_what_a_mount_would_hide_is_reported(tank: Bench) -> None:
    name = tank.fresh()
    child = f"{name}/child"

    def awaited() -> Dataset:
        found = Folders().settle(tank.host, tank.datasets(), ())
        return next(one for one in found if one.name == name)

    tank.host.run(ZfsCreate(name=child))
    tank.host.run(ZfsUnmount(name=name))
    found = awaited()
    # Mounted alone, the child leaves its folder in that of its parent.
    tank.host.run(ZfsMount(name=child))
    full = awaited()
    assert (found.folder_empty, full.folder_empty) == (True, False)
    tank.host.run(ZfsSet(name=name, properties={"overlay": "off"}))
    assert "directory is not empty" in tank.refuse(ZfsMount(name=name)).stderr
