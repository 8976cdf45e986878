"""Scrub, trim, initialize, upgrade, checkpoint: what each plans, and what it refuses in words."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from host.inventory import Checkpoint, Expansion, Filling, Inventory, Pool, Removal, Scan, Vdev
from jobs.plan import Plan, Refused
from pools.care import checkpoint, features, initialize, scrub, trim, upgrade
from pools.care.checkpoint import CheckpointPool
from pools.care.initialize import InitializePool
from pools.care.scrub import ScrubPool
from pools.care.trim import TrimPool
from pools.care.upgrade import UpgradePool
from tests import made

RESILVER = Scan(function="RESILVER", state="SCANNING", percent=12.0)
SCRUB = Scan(function="SCRUB", state="SCANNING", percent=40.0)
PAUSED = msgspec.structs.replace(SCRUB, paused="2026-11-21T12:00:00+00:00")
DONE = Scan(function="SCRUB", state="FINISHED", finished="2026-11-01T02:00:00+00:00")


def leaf(guid: str, **changes: Any) -> Vdev:
    values: dict[str, Any] = {"kind": "disk", "role": "data", "state": "ONLINE", "trims": False}
    return Vdev(guid=guid, name=f"/dev/disk/by-id/ata-{guid}-part1", **(values | changes))


def machine(*vdevs: Vdev, **changes: Any) -> Inventory:
    pool: Pool = made.pool(**({"vdevs": vdevs or (leaf("11"),)} | changes))
    return made.inventory(pools=(pool,))


def argvs(plan: Plan) -> list[tuple[str, ...]]:
    return [command.argv() for step in plan.steps for command in step.commands]


def refusals(refused: pytest.ExceptionInfo[Refused]) -> set[tuple[str, str]]:
    return {(f.code, f.field) for f in refused.value.findings if f.level == "error"}


def codes(plan: Plan) -> set[str]:
    return {finding.code for finding in plan.findings}


@pytest.mark.parametrize("scan", [None, DONE, PAUSED])
def test_a_scrub_starts_or_goes_on(scan: Scan | None) -> None:
    plan = scrub.plan(ScrubPool(name="tank"), machine(scan=scan))
    assert argvs(plan) == [("zpool", "scrub", "tank")]
    assert plan.steps[0].title == ("Resume the scrub of tank" if scan is PAUSED else "Scrub tank")
    assert (plan.claims, plan.destroys) == (("pool:tank",), ())


@pytest.mark.parametrize(("action", "flag"), [("pause", "-p"), ("stop", "-s")])
def test_a_running_scrub_is_paused_or_stopped(action: Any, flag: str) -> None:
    plan = scrub.plan(ScrubPool(name="tank", action=action), machine(scan=SCRUB))
    assert argvs(plan) == [("zpool", "scrub", flag, "tank")]
    assert ("starts-over" in codes(plan)) is (action == "stop")


@pytest.mark.parametrize(
    ("action", "changes", "code"),
    [
        ("start", {"scan": RESILVER}, "resilvering"),
        ("start", {"scan": SCRUB}, "already-running"),
        ("start", {"state": "SUSPENDED"}, "suspended"),
        ("start", {"properties": {"readonly": "on"}}, "read-only"),
        ("start", {"expansion": Expansion(state="SCANNING", vdev="raidz1-0")}, "expanding"),
        ("pause", {"scan": DONE}, "no-scrub"),
        ("pause", {"scan": PAUSED}, "already-paused"),
        ("stop", {"scan": RESILVER}, "no-scrub"),
        ("stop", {}, "no-scrub"),
    ],
)
def test_a_scrub_that_zfs_would_refuse_is_refused_in_words(action: Any, changes: Any, code: str) -> None:
    with pytest.raises(Refused) as refused:
        scrub.plan(ScrubPool(name="tank", action=action), machine(**changes))
    assert code in {found for found, _ in refusals(refused)}


@pytest.mark.parametrize(
    ("plan", "request_"),
    [
        (scrub.plan, ScrubPool(name="tonk")),
        (trim.plan, TrimPool(name="tonk")),
        (initialize.plan, InitializePool(name="tonk")),
        (upgrade.plan, UpgradePool(name="tonk")),
        (checkpoint.plan, CheckpointPool(name="tonk")),
    ],
)
def test_an_unknown_pool_is_refused(plan: Any, request_: Any) -> None:
    with pytest.raises(Refused) as refused:
        plan(request_, machine())
    assert refusals(refused) == {("unknown-pool", "name")}


def test_a_pool_of_turning_disks_cannot_be_trimmed() -> None:
    with pytest.raises(Refused) as refused:
        trim.plan(TrimPool(name="tank"), machine())
    assert refusals(refused) == {("no-trim", "name")}
    with pytest.raises(Refused) as refused:
        trim.plan(TrimPool(name="tank", vdev="11"), machine())
    assert refusals(refused) == {("no-trim", "vdev")}


def test_the_ssds_of_a_pool_are_trimmed_and_the_others_named() -> None:
    mixed = machine(leaf("11"), leaf("12", trims=True))
    plan = trim.plan(TrimPool(name="tank"), mixed)
    assert argvs(plan) == [("zpool", "trim", "tank")]
    assert [f.message for f in plan.findings if f.code == "left-out"] == [
        "Left out, because they cannot be trimmed: ata-11-part1."
    ]
    assert argvs(trim.plan(TrimPool(name="tank", vdev="12"), mixed)) == [("zpool", "trim", "tank", "12")]


def test_only_what_is_being_trimmed_is_suspended() -> None:
    running = Filling(state="ACTIVE", done_bytes=1, total_bytes=9)
    waiting = Filling(state="SUSPENDED", done_bytes=1, total_bytes=9)
    ssds = machine(*(leaf(guid, trims=True, trim=state) for guid, state in
                     (("11", running), ("12", waiting), ("13", None))))  # fmt: skip
    assert argvs(trim.plan(TrimPool(name="tank", action="suspend"), ssds)) == [
        ("zpool", "trim", "-s", "tank", "11")
    ]
    assert argvs(trim.plan(TrimPool(name="tank", action="cancel"), ssds)) == [
        ("zpool", "trim", "-c", "tank", "11"), ("zpool", "trim", "-c", "tank", "12"),
    ]  # fmt: skip
    with pytest.raises(Refused) as refused:
        trim.plan(TrimPool(name="tank"), ssds)
    assert refusals(refused) == {("already-running", "action")}


@pytest.mark.parametrize("action", ["suspend", "cancel"])
def test_nothing_that_does_not_run_is_ended(action: Any) -> None:
    for plan, request in ((trim.plan, TrimPool), (initialize.plan, InitializePool)):
        with pytest.raises(Refused) as refused:
            plan(request(name="tank", action=action), machine(leaf("11", trims=True)))  # type: ignore[arg-type]
        assert refusals(refused) == {("not-running", "action")}


def test_a_leaf_that_is_not_there_or_not_online_is_refused() -> None:
    for guid, state, code in (("99", "ONLINE", "unknown-vdev"), ("11", "OFFLINE", "not-online")):
        with pytest.raises(Refused) as refused:
            initialize.plan(InitializePool(name="tank", vdev=guid), machine(leaf("11", state=state)))
        assert refusals(refused) == {(code, "vdev")}


def test_a_pool_is_initialized_as_a_whole_or_by_leaf() -> None:
    both = machine(leaf("11"), leaf("12"))
    assert argvs(initialize.plan(InitializePool(name="tank"), both)) == [("zpool", "initialize", "tank")]
    one = initialize.plan(InitializePool(name="tank", vdev="12"), both)
    assert argvs(one) == [("zpool", "initialize", "tank", "12")]


def test_an_upgrade_says_what_can_no_longer_read_the_pool() -> None:
    properties = {"feature@blake3": "disabled", "feature@draid": "disabled", "feature@lz4_compress": "active"}
    plan = upgrade.plan(UpgradePool(name="tank"), machine(properties=properties))
    assert argvs(plan) == [("zpool", "upgrade", "tank")]
    assert plan.steps[0].title == "Enable 2 features on tank"
    (warning,) = (finding for finding in plan.findings if finding.level == "warning")
    assert (
        "OpenZFS before 2.2 (Debian 11, Debian 12, Ubuntu 20.04, Ubuntu 22.04, FreeBSD 13)" in warning.message
    )
    (named,) = (finding.message for finding in plan.findings if finding.code == "features")
    assert named == "Features: blake3 (since 2.2), draid (since 2.1)."
    assert "checkpoint-first" in codes(plan)


def test_an_upgrade_with_nothing_to_enable_is_refused() -> None:
    for properties, code in (
        ({"feature@draid": "enabled"}, "nothing-to-upgrade"),
        ({"feature@draid": "disabled", "compatibility": "openzfs-2.0-linux"}, "held-back"),
    ):
        with pytest.raises(Refused) as refused:
            upgrade.plan(UpgradePool(name="tank"), machine(properties=properties))
        assert refusals(refused) == {(code, "name")}


def test_features_that_nobody_knows_promise_nothing() -> None:
    assert features.since("com.example:new") is None
    assert features.first_reader(["draid", "com.example:new"]) is None
    assert features.first_reader(["draid", "zstd_compress"]) == "2.1"
    assert features.shut_out(["lz4_compress"]) == ()


def test_every_feature_of_this_system_has_a_release() -> None:
    from host.simulated.pools.properties import FEATURES

    assert [feature for feature in FEATURES if features.since(feature) is None] == []


def test_a_checkpoint_is_taken_and_what_it_prevents_is_said() -> None:
    plan = checkpoint.plan(CheckpointPool(name="tank"), machine())
    assert argvs(plan) == [("zpool", "checkpoint", "tank")]
    assert plan.destroys == ()
    assert {"checkpoint-prevents", "how-to-return"} <= codes(plan)


def test_to_discard_a_checkpoint_is_a_loss() -> None:
    kept = Checkpoint(state="EXISTS", taken="2026-11-20T10:00:00+00:00", size_bytes=5)
    plan = checkpoint.plan(CheckpointPool(name="tank", action="discard"), machine(checkpoint=kept))
    assert argvs(plan) == [("zpool", "checkpoint", "-d", "tank")]
    assert [loss.holds for loss in plan.destroys] == [
        "the way back to the pool's state of 2026-11-20 10:00 UTC"
    ]


@pytest.mark.parametrize(
    ("action", "changes", "code"),
    [
        ("take", {"checkpoint": Checkpoint(state="EXISTS")}, "has-checkpoint"),
        ("take", {"removal": Removal(state="SCANNING", vdev="mirror-1")}, "removing"),
        ("take", {"expansion": Expansion(state="SCANNING", vdev="raidz1-0")}, "expanding"),
        ("discard", {}, "no-checkpoint"),
        ("discard", {"checkpoint": Checkpoint(state="DISCARDING")}, "already-running"),
    ],
)
def test_a_checkpoint_that_zfs_would_refuse_is_refused(action: Any, changes: Any, code: str) -> None:
    with pytest.raises(Refused) as refused:
        checkpoint.plan(CheckpointPool(name="tank", action=action), machine(**changes))
    assert refusals(refused) == {(code, "action")}
