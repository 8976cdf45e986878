"""dataset.create, dataset.set and dataset.destroy."""

from __future__ import annotations

from typing import Any

import pytest

from jobs.plan import Refused
from pools.datasets.create_dataset import CreateDataset
from pools.datasets.create_dataset import plan as plan_create
from pools.datasets.destroy_dataset import DestroyDataset
from pools.datasets.destroy_dataset import plan as plan_destroy
from pools.datasets.set_properties import SetProperties
from pools.datasets.set_properties import plan as plan_set
from tests import made

TREE = (
    made.dataset("tank", compression="lz4"),
    made.dataset("tank/media", compression=made.inherited("lz4", "tank")),
    made.dataset("tank/media/films", compression="zstd"),
    made.dataset("tank/media/films/old", compression=made.inherited("zstd", "tank/media/films")),
    made.dataset("tank/media/music", compression=made.inherited("lz4", "tank")),
    made.dataset("tank/vol", kind="volume"),
)
MACHINE = made.inventory(pools=(made.pool(),), datasets=TREE)


def faults(refused: pytest.ExceptionInfo[Refused]) -> set[tuple[str, str]]:
    return {(f.code, f.field) for f in refused.value.findings}


def create(name: str, **more: Any) -> CreateDataset:
    return CreateDataset(name=name, **more)


def test_a_file_system_is_created_with_its_properties() -> None:
    plan = plan_create(
        create("tank/photos", properties={"compression": "zstd", "org.me:use": "x y"}), MACHINE
    )
    assert [c.argv() for c in plan.steps[0].commands] == [
        ("zfs", "create", "-o", "compression=zstd", "-o", "org.me:use=x y", "tank/photos")
    ]
    assert plan.claims == ("dataset:tank/photos",)


def test_a_sparse_volume_is_created() -> None:
    plan = plan_create(create("tank/v2", kind="volume", volume_bytes=1 << 30, sparse=True), MACHINE)
    assert plan.steps[0].commands[0].argv() == ("zfs", "create", "-s", "-V", "1073741824", "tank/v2")


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("tank", "bad-name"),
        ("tank/", "bad-name"),
        ("tank//a", "bad-name"),
        ("/tank/a", "bad-name"),
        ("tank/..", "bad-name"),
        ("tank/a b", "bad-name"),
        ("tank/a@b", "bad-name"),
        ("tank/a%b", "bad-name"),
        ("tank/\x00", "bad-name"),
        ("tank/.nasweb", "bad-name"),
        ("tank/.nasweb-state/home", "bad-name"),
        ("tank/" + "a" * 251, "bad-name"),
        ("tank/media", "name-taken"),
        ("tank/no/such", "unknown-parent"),
        ("pond/a", "unknown-parent"),
        ("tank/vol/a", "parent-is-volume"),
    ],
)
def test_bad_names_are_refused(name: str, code: str) -> None:
    with pytest.raises(Refused) as refused:
        plan_create(create(name), MACHINE)
    assert faults(refused) == {(code, "name")}


@pytest.mark.parametrize(
    ("name", "value", "code"),
    [
        ("compression", "zstd-20", "bad-value"),
        ("compression", "lz4\n", "bad-value"),
        ("recordsize", "100K", "bad-value"),
        ("recordsize", "32M", "bad-value"),
        ("atime", "maybe", "bad-value"),
        ("quota", "-5", "bad-value"),
        ("mountpoint", "/etc", "bad-value"),
        ("mountpoint", "relative", "bad-value"),
        ("used", "1", "unknown-property"),
        ("volsize", "1G", "unknown-property"),
        ("no such", "1", "unknown-property"),
        ("org.me:note", "x" * 10_000, "bad-value"),
        ("org.me:note", "a\x00b", "bad-value"),
    ],
)
def test_bad_properties_are_refused(name: str, value: str, code: str) -> None:
    with pytest.raises(Refused) as refused:
        plan_create(create("tank/new", properties={name: value}), MACHINE)
    assert faults(refused) == {(code, f"properties.{name}")}


def test_volumes_need_a_size_that_fits_and_only_they_have_one() -> None:
    for request, found in (
        (create("tank/v", kind="volume"), {("required", "volume_bytes")}),
        (create("tank/v", kind="volume", volume_bytes=1000), {("not-a-multiple", "volume_bytes")}),
        (create("tank/v", kind="volume", volume_bytes=1 << 50), {("no-space", "volume_bytes")}),
        (
            create("tank/v", volume_bytes=512, sparse=True),
            {("not-a-volume", "volume_bytes"), ("not-a-volume", "sparse")},
        ),
    ):
        with pytest.raises(Refused) as refused:
            plan_create(request, MACHINE)
        assert faults(refused) == found


def test_setting_lists_every_child_that_changes_and_those_shielded() -> None:
    plan = plan_set(SetProperties(name="tank/media", properties={"compression": "gzip"}), MACHINE)
    assert plan.steps[0].commands[0].argv() == ("zfs", "set", "compression=gzip", "tank/media")
    report = [(f.code, f.message) for f in plan.findings if f.code != "new-data-only"]
    assert report == [
        ("changes", "tank/media: lz4 → gzip"),
        ("shielded", "tank/media/films keeps its own value zstd."),
        ("child-changes", "tank/media/music: lz4 → gzip"),
    ]


@pytest.mark.parametrize(
    ("name", "before", "value", "words"),
    [
        ("atime", "off", "on", "off → on once it is mounted again"),
        ("atime", "off", None, "off → the default once it is mounted again"),
        ("atime", "on", "off", "on → off"),
        ("readonly", "on", "off", "on → off once it is mounted again"),
        ("readonly", "off", "on", "off → on"),
        ("devices", "on", "off", "on → off once it is mounted again"),
        ("exec", "on", "off", "on → off once it is mounted again"),
        ("setuid", "off", "on", "off → on once it is mounted again"),
        ("compression", "lz4", "zstd", "lz4 → zstd"),
    ],
)
def test_what_a_mount_keeps_reaches_mounted_children_when_they_are_mounted_again(
    name: str, before: str, value: str | None, words: str
) -> None:
    inherits = {name: made.inherited(before, "tank")}
    datasets = (
        made.dataset("tank", **{name: before}),
        made.dataset("tank/mounted", mounted="yes", **inherits),
        made.dataset("tank/unmounted", mounted="no", **inherits),
    )
    machine = made.inventory(pools=(made.pool(),), datasets=datasets)
    plan = plan_set(SetProperties(name="tank", properties={name: value}), machine)
    children = [f.message for f in plan.findings if f.code == "child-changes"]
    at_once = words.removesuffix(" once it is mounted again")
    assert children == [f"tank/mounted: {words}", f"tank/unmounted: {at_once}"]


def test_a_volume_does_not_change_with_what_it_does_not_have() -> None:
    request = SetProperties(
        name="tank", properties={"atime": "on", "recordsize": "1M", "mountpoint": "/mnt/x", "sync": "always"}
    )
    report = [(f.field, f.message) for f in plan_set(request, MACHINE).findings if "tank/vol" in f.message]
    assert report == [("properties.sync", "tank/vol: unset → always")]


def test_null_means_inherit_again() -> None:
    request = SetProperties(name="tank/media/films", properties={"compression": None, "atime": "off"})
    plan = plan_set(request, MACHINE)
    assert [c.argv() for c in plan.steps[0].commands] == [
        ("zfs", "set", "atime=off", "tank/media/films"),
        ("zfs", "inherit", "compression", "tank/media/films"),
    ]
    assert ("changes", "tank/media/films: zstd → lz4") in [(f.code, f.message) for f in plan.findings]


def test_inheriting_what_is_not_set_changes_nothing() -> None:
    plan = plan_set(SetProperties(name="tank/media", properties={"org.me:note": None}), MACHINE)
    assert [f.code for f in plan.findings] == ["no-change"]


def test_null_lifts_what_cannot_be_inherited_by_setting_its_default() -> None:
    request = SetProperties(name="tank/media", properties={"quota": None, "canmount": None, "atime": None})
    plan = plan_set(request, MACHINE)
    assert [c.argv() for c in plan.steps[0].commands] == [
        ("zfs", "set", "canmount=on", "quota=none", "tank/media"),
        ("zfs", "inherit", "atime", "tank/media"),
    ]
    with pytest.raises(Refused) as refused:
        plan_set(SetProperties(name="tank/vol", properties={"volsize": None}), MACHINE)
    assert faults(refused) == {("no-default", "properties.volsize")}


def test_setting_refuses_unknown_datasets_and_what_only_creation_can_choose() -> None:
    with pytest.raises(Refused) as refused:
        plan_set(SetProperties(name="tank/none", properties={"atime": "off"}), MACHINE)
    assert faults(refused) == {("unknown-dataset", "name")}
    with pytest.raises(Refused) as refused:
        plan_set(SetProperties(name="tank/media", properties={"casesensitivity": "mixed"}), MACHINE)
    assert faults(refused) == {("creation-only", "properties.casesensitivity")}


def test_destroying_a_tree_names_each_dataset_that_goes() -> None:
    machine = made.inventory(
        pools=(made.pool(),), datasets=TREE, snapshots=(made.snapshot("tank/media/films@a"),)
    )
    plan = plan_destroy(DestroyDataset(name="tank/media", recursive=True), machine)
    assert plan.steps[0].commands[0].argv() == ("zfs", "destroy", "-r", "tank/media")
    assert [(loss.dataset, loss.holds) for loss in plan.destroys] == [
        ("tank/media", "file system tank/media"),
        ("tank/media/films", "file system tank/media/films and its snapshot"),
        ("tank/media/films/old", "file system tank/media/films/old"),
        ("tank/media/music", "file system tank/media/music"),
        (None, "snapshot of 2026-09-21 14:13 UTC"),
    ]
    assert plan.destroys[-1].snapshot == "tank/media/films@a"
    assert plan.confirm == "tank/media"


def test_destroying_refuses_children_roots_holds_and_foreign_clones() -> None:
    snapshots = (
        made.snapshot("tank/media/music@held", holds=1),
        made.snapshot("tank/media/music@cloned", clones=("tank/copy", "tank/media/films")),
    )
    machine = made.inventory(pools=(made.pool(),), datasets=TREE, snapshots=snapshots)
    for name, recursive, found in (
        ("tank/media", False, {("has-children", "recursive"), ("held", "name"), ("has-clones", "name")}),
        ("tank/media", True, {("held", "name"), ("has-clones", "name")}),
        ("tank", True, {("is-pool-root", "name")}),
        ("tank/none", True, {("unknown-dataset", "name")}),
    ):
        with pytest.raises(Refused) as refused:
            plan_destroy(DestroyDataset(name=name, recursive=recursive), machine)
        assert faults(refused) == found


def test_a_clone_that_the_index_of_snapshots_does_not_know_yet_is_seen_by_its_origin() -> None:
    clone = made.dataset("tank/copy", origin="tank/media/films@a")
    machine = made.inventory(
        pools=(made.pool(),), datasets=(*TREE, clone), snapshots=(made.snapshot("tank/media/films@a"),)
    )
    with pytest.raises(Refused) as refused:
        plan_destroy(DestroyDataset(name="tank/media", recursive=True), machine)
    (finding,) = refused.value.findings
    assert finding.code == "has-clones"
    assert finding.message.startswith(
        "tank/copy is a clone of tank/media/films@a and needs it. Promote tank/copy"
    )
    plan = plan_destroy(DestroyDataset(name="tank/copy"), machine)
    assert [f.message for f in plan.findings] == [
        "tank/copy is a clone. tank/media/films@a stays, and is free again."
    ]


def test_used_bytes_do_not_change_the_digest_of_a_destroy() -> None:
    before = plan_destroy(DestroyDataset(name="tank/vol"), MACHINE)
    grown = tuple(
        made.dataset("tank/vol", kind="volume", used="5") if d.name == "tank/vol" else d for d in TREE
    )
    after = plan_destroy(
        DestroyDataset(name="tank/vol"), made.inventory(pools=(made.pool(),), datasets=grown)
    )
    assert before.destroys != after.destroys
    assert before.digest == after.digest
