"""dataset.rename, promote, mount and unmount."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from host.inventory import Inventory
from host.replication.rewriting import Rewrite
from host.replication.values import Pairing, Replicating, Replication, Target
from jobs.plan import Plan, Refused
from pools.datasets.mount_dataset import MountDataset
from pools.datasets.mount_dataset import plan as plan_mount
from pools.datasets.promote_dataset import PromoteDataset
from pools.datasets.promote_dataset import plan as plan_promote
from pools.datasets.rename_dataset import RenameDataset
from pools.datasets.rename_dataset import plan as plan_rename
from pools.datasets.unmount_dataset import UnmountDataset
from pools.datasets.unmount_dataset import plan as plan_unmount
from tests import made


def mounted(name: str, **more: Any) -> Any:
    return made.dataset(name, canmount="on", mounted="yes", **more)


def below(name: str, **more: Any) -> Any:
    return mounted(name, mountpoint=made.inherited(f"/mnt/{name}", "tank"), **more)


TREE = (
    mounted("tank"),
    below("tank/media", sync=made.inherited("standard", "tank")),
    below("tank/media/films"),
    mounted("tank/media/own", mountpoint="/mnt/elsewhere"),
    below("tank/docs", sync="always"),
    made.dataset("tank/vol", kind="volume"),
    below("tank/copy", origin="tank/media@monday"),
)
MACHINE = made.inventory(pools=(made.pool(),), datasets=TREE, snapshots=(made.snapshot("tank/media@monday"),))


def messages(plan: Plan, *codes: str) -> list[str]:
    return [finding.message for finding in plan.findings if finding.code in codes]


def faults(refused: pytest.ExceptionInfo[Refused]) -> set[tuple[str, str]]:
    return {(f.code, f.field) for f in refused.value.findings if f.level == "error"}


def rename(name: str, to: str, machine: Inventory = MACHINE, **more: Any) -> Plan:
    return plan_rename(RenameDataset(name=name, to=to, **more), machine)


def test_a_rename_lists_every_name_and_place_that_changes() -> None:
    plan = rename("tank/media", "tank/docs/av")
    assert [c.argv() for c in plan.steps[0].commands] == [("zfs", "rename", "tank/media", "tank/docs/av")]
    assert messages(plan, "renamed") == [
        "tank/media becomes tank/docs/av",
        "tank/media/films becomes tank/docs/av/films",
        "tank/media/own becomes tank/docs/av/own",
    ]
    assert messages(plan, "moves") == [
        "tank/docs/av moves from /mnt/tank/media to /mnt/tank/docs/av",
        "tank/docs/av/films moves from /mnt/tank/media/films to /mnt/tank/docs/av/films",
    ]
    assert messages(plan, "inherits") == ["sync: standard → always, from tank/docs"]
    assert messages(plan, "clone-follows") == ["tank/copy stays a clone of it."]
    assert messages(plan, "snapshots-follow") == ["1 snapshot will move with it; what follows the @ stays."]
    assert plan.claims == ("dataset:tank/media", "dataset:tank/docs/av")


@pytest.mark.parametrize("name", ["tank/media", "tank/media/films", "tank/media/films.before"])
def test_what_is_written_anew_keeps_its_name_until_that_is_ended(name: str) -> None:
    machine = msgspec.structs.replace(
        MACHINE, datasets=(*TREE, below("tank/media/films.before")),
        rewrites=(Rewrite(key="0" * 16, dataset="tank/media/films", live=True),),
    )  # fmt: skip
    with pytest.raises(Refused) as refused:
        rename(name, "tank/docs/av", machine)
    assert faults(refused) == {("is-rewritten", "name")}
    assert rename("tank/docs", "tank/papers", machine).steps


def test_who_goes_by_its_name_is_named() -> None:
    pool = Target(id=1, name="attic", kind="pool", dataset="tank/media")
    away = Target(id=2, name="cellar", kind="ssh", dataset="tank/media")
    tasks = (
        Replication(
            id=1, key="1" * 16, name="films", source="other/x", target_id=1, target="tank/media/films"
        ),
        Replication(
            id=2, key="2" * 16, name="away", source="other/x", target_id=2, target="tank/media/films"
        ),
    )
    pairing = Pairing(
        id=1, name="cellar", peer="0" * 16, dataset="tank/media/own", shared=("tank/media/films",)
    )
    machine = msgspec.structs.replace(
        MACHINE, replicating=Replicating(targets=(pool, away), tasks=tasks, pairings=(pairing,))
    )
    plan = rename("tank/media", "tank/av", machine)
    assert [f.code for f in plan.findings if f.level == "warning"] == [
        "read-by-name", "written-by-name", "is-replica",
    ]  # fmt: skip
    assert "Share tank/av/films with it" in messages(plan, "read-by-name")[0]
    assert "the replication films" in messages(plan, "is-replica")[0]
    assert not [f for f in rename("tank/docs", "tank/papers", machine).findings if f.level == "warning"]


def test_what_keeps_its_mounts_moves_when_it_is_mounted_again() -> None:
    plan = rename("tank/docs", "tank/papers", keep_mounts=True)
    assert plan.steps[0].commands[0].argv() == ("zfs", "rename", "-u", "tank/docs", "tank/papers")
    assert messages(plan, "moves", "unmounted") == [
        "tank/papers moves from /mnt/tank/docs to /mnt/tank/papers when it is mounted again"
    ]


@pytest.mark.parametrize(
    ("name", "to", "fault"),
    [
        ("tank", "tank/x", ("is-pool-root", "name")),
        ("tank/none", "tank/x", ("unknown-dataset", "name")),
        ("tank/docs", "tank/docs", ("same-name", "to")),
        ("tank/docs", "tank/docs/x", ("into-itself", "to")),
        ("tank/docs", "pond/docs", ("other-pool", "to")),
        ("tank/docs", "tank/media", ("name-taken", "to")),
        ("tank/docs", "tank/none/x", ("unknown-parent", "to")),
        ("tank/docs", "tank/vol/x", ("parent-is-volume", "to")),
        ("tank/docs", "tank/a@b", ("bad-name", "to")),
        ("tank/docs", "tank", ("bad-name", "to")),
        ("tank/docs", "tank/\x00", ("bad-name", "to")),
        ("tank/docs", "tank/.nasweb-benchmark", ("bad-name", "to")),
        ("tank/docs", "tank/.nasweb-state/var", ("bad-name", "to")),
        ("tank/media", f"tank/{'m' * 245}", ("name-too-long", "to")),
    ],
)
def test_a_rename_that_cannot_be_is_refused(name: str, to: str, fault: tuple[str, str]) -> None:
    with pytest.raises(Refused) as refused:
        rename(name, to)
    assert faults(refused) == {fault}


def test_what_uses_the_key_of_another_stays_below_it() -> None:
    key = {"encryption": "aes-256-gcm", "encryptionroot": "tank/safe"}
    machine = made.inventory(
        pools=(made.pool(),),
        datasets=(
            mounted("tank", encryption="off"),
            mounted("tank/safe", **key),
            mounted("tank/safe/a", **key),
            mounted("tank/plain", encryption="off"),
        ),
    )
    assert rename("tank/safe/a", "tank/safe/b", machine).steps
    assert rename("tank/safe", "tank/vault", machine).steps
    with pytest.raises(Refused) as refused:
        rename("tank/safe/a", "tank/a", machine)
    assert faults(refused) == {("leaves-its-key", "to")}
    assert messages(rename("tank/plain", "tank/safe/plain", machine), "stays-unencrypted") == [
        "Everything below tank/safe is encrypted; tank/plain stays unencrypted there."
    ]


_NAMES = st.text(alphabet="abcxyz/._- @%ä\x00", max_size=40)


@given(name=st.sampled_from([dataset.name for dataset in TREE]), to=_NAMES)
def test_whatever_the_new_name_is_a_plan_or_a_refusal_comes(name: str, to: str) -> None:
    try:
        plan = rename(name, f"tank/{to}")
    except Refused as refused:
        assert all(finding.message for finding in refused.findings)
    else:
        known = {dataset.name for dataset in TREE}
        assert f"tank/{to}" not in known
        assert f"tank/{to}".rpartition("/")[0] in known
        assert plan.steps[0].commands[0].argv()[-1] == f"tank/{to}"


def test_a_clone_is_promoted_and_told_what_changes_hands() -> None:
    plan = plan_promote(PromoteDataset(name="tank/copy"), MACHINE)
    assert plan.steps[0].commands[0].argv() == ("zfs", "promote", "tank/copy")
    assert plan.claims == ("dataset:tank/copy", "dataset:tank/media")
    (words,) = messages(plan, "snapshots-move")
    assert words.startswith("The snapshots of tank/media up to monday become snapshots of tank/copy")
    with pytest.raises(Refused) as refused:
        plan_promote(PromoteDataset(name="tank/docs"), MACHINE)
    assert faults(refused) == {("not-a-clone", "name")}


def mount(name: str, *datasets: Any, recursive: bool = False) -> Plan:
    machine = made.inventory(pools=(made.pool(),), datasets=(mounted("tank"), *datasets))
    return plan_mount(MountDataset(name=name, recursive=recursive), machine)


@pytest.mark.parametrize(
    ("dataset", "code"),
    [
        (mounted("tank/a"), "mounted"),
        (made.dataset("tank/a", kind="volume"), "is-volume"),
        (made.dataset("tank/a", canmount="off", mounted="no"), "canmount-off"),
        (made.dataset("tank/a", canmount="on", mountpoint="none"), "no-mountpoint"),
        (made.dataset("tank/a", canmount="on", mountpoint="legacy"), "legacy-mountpoint"),
        (made.dataset("tank/a", canmount="on", keystatus="unavailable"), "locked"),
    ],
)
def test_what_cannot_be_mounted_is_refused_with_the_reason(dataset: Any, code: str) -> None:
    with pytest.raises(Refused) as refused:
        mount("tank/a", dataset)
    assert faults(refused) == {(code, "name")}


def test_all_below_is_mounted_parents_first_but_for_what_is_locked() -> None:
    unimported = {"canmount": "on", "mounted": "no"}
    plan = mount(
        "tank/a",
        made.dataset("tank/a", **unimported),
        made.dataset("tank/a/b", **unimported),
        made.dataset("tank/a/c", canmount="noauto", mounted="no"),
        made.dataset("tank/a/shut", keystatus="unavailable", **unimported),
        recursive=True,
    )
    assert [c.argv()[-1] for c in plan.steps[0].commands] == ["tank/a", "tank/a/b"]
    assert messages(plan, "locked") == ["tank/a/shut stays unmounted: it is locked."]


def test_a_mount_warns_of_what_it_would_hide() -> None:
    unimported = made.dataset("tank/a", canmount="on", mounted="no")
    plan = mount("tank/a", unimported, mounted("tank/a/b"), mounted("tank/c", mountpoint="/mnt/tank/a"))
    assert {f.code for f in plan.findings if f.level == "warning"} == {"hides-a-mount", "mountpoint-taken"}


def test_unmounting_tells_what_goes_along_and_spares_the_system() -> None:
    plan = plan_unmount(UnmountDataset(name="tank/media"), MACHINE)
    assert plan.steps[0].commands[0].argv() == ("zfs", "unmount", "tank/media")
    assert messages(plan, "unmounts") == [
        "tank/media, now at /mnt/tank/media",
        "tank/media/films, now at /mnt/tank/media/films",
        "tank/media/own, now at /mnt/elsewhere",
    ]
    root = made.inventory(pools=(made.pool(),), datasets=(mounted("tank", mountpoint="/"),))
    within = made.inventory(
        pools=(made.pool(),), datasets=(mounted("tank/a"), mounted("tank/b", mountpoint="/mnt/tank/a/b"))
    )
    for name, machine, fault in (
        ("tank", root, ("system-folder", "name")),
        ("tank/a", within, ("mounted-within", "name")),
        ("tank/vol", MACHINE, ("is-volume", "name")),
        ("tank/none", MACHINE, ("unknown-dataset", "name")),
    ):
        with pytest.raises(Refused) as refused:
            plan_unmount(UnmountDataset(name=name), machine)
        assert faults(refused) == {fault}
