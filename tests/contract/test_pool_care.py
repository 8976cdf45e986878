"""Scrub, clear, offline, trim, initialize, upgrade, checkpoint and settings of imported pools."""

from __future__ import annotations

import pytest

from host.base import Host
from host.commands.base import Command
from host.commands.pools.care import (
    ZpoolCheckpoint,
    ZpoolClear,
    ZpoolInitialize,
    ZpoolScrub,
    ZpoolSet,
    ZpoolTrim,
    ZpoolUpgrade,
)
from host.commands.pools.events import ZedEvents
from host.commands.pools.members import ZpoolDetach, ZpoolOffline, ZpoolOnline
from host.inventory import Pool, leaves
from host.probe.pools.iostat import read_iostat
from host.probe.pools.zed_events import parse_zed_events
from tests.contract.bench import POOL, Bench
from tests.contract.waiting import first_answer

_HEARD_S = 420.0  # the kernel keeps 512 events for zed
Event = tuple[str, str | None, str | None]  # its name, and the guid and the state of a vdev


def _scan(pool: Pool) -> tuple[str, str] | None:
    return (pool.scan.function, pool.scan.state) if pool.scan else None


def test_zed_reports_what_becomes_of_a_pool(bench: Bench) -> None:
    pool = bench.create(("data", "mirror", 2))
    first, second = pool.vdevs[0].children

    def reported() -> set[Event]:
        events = parse_zed_events(bench.host.run(ZedEvents()).stdout)
        ours = [one for one in events if (one.pool, one.pool_guid) == (POOL, pool.guid) and one.count >= 1]
        return {(one.name, one.vdev_guid, one.state) for one in ours}

    def hear(*events: Event) -> None:
        # zed takes one event after the other, and each that another test left costs an emulated machine most
        # of a second: hence it is the first.
        first_answer(bench.host, lambda: reported().issuperset(events) or None, limit_s=_HEARD_S)

    bench.host.run(ZpoolScrub(name=POOL))
    hear(("scrub_start", None, None), ("scrub_finish", None, None))
    bench.host.run(ZpoolOffline(name=POOL, vdev=second.guid))
    hear(("statechange", second.guid, "OFFLINE"))
    bench.host.run(ZpoolOnline(name=POOL, vdev=second.guid))
    hear(("statechange", second.guid, "ONLINE"), ("resilver_finish", None, None))
    heard = reported()
    assert ("statechange", first.guid) not in {event[:2] for event in heard}
    assert "history_event" not in {name for name, *_ in heard}


@pytest.mark.core
def test_a_scrub_runs_to_its_end(bench: Bench) -> None:
    assert bench.create(("data", "mirror", 2)).scan is None
    bench.host.run(ZpoolScrub(name=POOL))
    pool = bench.until(lambda pool: _scan(pool) == ("SCRUB", "FINISHED"))
    assert pool.scan is not None
    assert (pool.scan.errors, pool.scan.repaired_bytes, pool.scan.percent) == (0, 0, None)
    assert pool.scan.started is not None
    assert pool.scan.finished is not None
    assert pool.scan.started <= pool.scan.finished
    assert pool.health == "healthy"


def test_where_no_scrub_runs_none_is_stopped_and_to_pause_does_nothing(bench: Bench) -> None:
    bench.create(("data", "stripe", 1))
    stopped = bench.refuse(ZpoolScrub(name=POOL, action="stop"))
    assert (stopped.exit, stopped.stderr) == (
        1, f"cannot cancel scrubbing {POOL}: there is no active scrub\n",
    )  # fmt: skip
    # ZFS takes this silently: whoever asks for a pause checks first whether a scrub runs.
    assert bench.host.run(ZpoolScrub(name=POOL, action="pause")).stderr == ""
    assert bench.status().scan is None


def test_errors_are_cleared_of_a_pool_and_of_one_vdev(bench: Bench) -> None:
    pool = bench.create(("data", "mirror", 2))
    bench.host.run(ZpoolClear(name=POOL))
    bench.host.run(ZpoolClear(name=POOL, vdev=pool.vdevs[0].children[1].guid))
    assert bench.status().health == "healthy"


def test_a_leaf_goes_offline_and_comes_back_but_never_the_last_one(bench: Bench) -> None:
    one, two = bench.create(("data", "mirror", 2)).vdevs[0].children
    bench.host.run(ZpoolOffline(name=POOL, vdev=one.guid))
    pool = bench.until(lambda pool: pool.state == "DEGRADED")
    assert [leaf.state for leaf in leaves(pool.vdevs[0])] == ["OFFLINE", "ONLINE"]
    assert pool.health == "degraded"
    refused = bench.refuse(ZpoolOffline(name=POOL, vdev=two.guid))
    assert (refused.exit, refused.stderr) == (1, f"cannot offline {two.guid}: no valid replicas\n")
    bench.host.run(ZpoolOnline(name=POOL, vdev=one.guid))
    pool = bench.until(lambda pool: pool.state == "ONLINE" and _scan(pool) != ("RESILVER", "SCANNING"))
    assert pool.health == "healthy"


def test_a_checkpoint_is_taken_once_holds_members_and_is_discarded(bench: Bench) -> None:
    leaf = bench.create(("data", "mirror", 2)).vdevs[0].children[0]
    bench.host.run(ZpoolCheckpoint(name=POOL))
    taken = bench.until(lambda pool: pool.checkpoint is not None).checkpoint
    assert taken is not None
    assert (taken.state, taken.taken is not None) == ("EXISTS", True)
    again = bench.refuse(ZpoolCheckpoint(name=POOL))
    assert (again.exit, again.stderr) == (1, f"cannot checkpoint '{POOL}': checkpoint exists\n")
    assert "checkpoint exists" in bench.refuse(ZpoolDetach(name=POOL, vdev=leaf.guid)).stderr
    bench.host.run(ZpoolCheckpoint(name=POOL, discard=True))
    bench.until(lambda pool: pool.checkpoint is None)
    none = bench.refuse(ZpoolCheckpoint(name=POOL, discard=True))
    assert "checkpoint does not exist" in none.stderr


def test_settings_are_set_and_bad_ones_refused(bench: Bench) -> None:
    bench.create(("data", "stripe", 1))
    bench.host.run(ZpoolSet(name=POOL, property="comment", value="second shelf"))
    bench.host.run(ZpoolSet(name=POOL, property="autotrim", value="on"))
    pool = bench.status()
    assert (pool.comment, pool.properties["autotrim"], pool.cachefile) == ("second shelf", "on", None)
    bad = bench.refuse(ZpoolSet(name=POOL, property="autotrim", value="maybe"))
    assert "'autotrim' must be one of" in bad.stderr
    assert bench.status().properties["autotrim"] == "on"


def test_an_upgrade_enables_what_was_not_and_then_has_nothing_to_do(bench: Bench) -> None:
    command = bench.command(("data", "stripe", 1))
    command.properties["feature@skein"] = "disabled"
    bench.host.run(command)
    pool = bench.status()
    assert (pool.to_upgrade, pool.features["skein"]) == (("skein",), "disabled")
    assert "skein" in bench.host.run(ZpoolUpgrade(name=POOL)).stdout
    pool = bench.status()
    assert (pool.to_upgrade, pool.features["skein"]) == ((), "enabled")
    said = bench.host.run(ZpoolUpgrade(name=POOL)).stdout
    assert f"Pool '{POOL}' already has all supported and requested features enabled." in said


def test_a_leaf_is_initialized_suspended_and_given_up(bench: Bench) -> None:
    leaf, other = bench.create(("data", "mirror", 2)).vdevs[0].children
    assert (leaf.initialize, other.initialize) == (None, None)

    def state(pool: Pool) -> str | None:
        first = next(leaves(pool.vdevs[0]))
        return first.initialize.state if first.initialize else None

    bench.host.run(ZpoolInitialize(name=POOL, vdev=leaf.guid))
    bench.until(lambda pool: state(pool) == "ACTIVE")
    bench.host.run(ZpoolInitialize(name=POOL, vdev=leaf.guid, action="suspend"))
    bench.until(lambda pool: state(pool) == "SUSPENDED")
    bench.host.run(ZpoolInitialize(name=POOL, vdev=leaf.guid))
    bench.until(lambda pool: state(pool) == "ACTIVE")
    bench.host.run(ZpoolInitialize(name=POOL, vdev=leaf.guid, action="cancel"))
    pool = bench.until(lambda pool: state(pool) not in {"ACTIVE", "SUSPENDED"})
    assert [one.initialize for one in leaves(pool.vdevs[0])][1] is None
    refused = bench.refuse(ZpoolInitialize(name=POOL, vdev=leaf.guid, action="suspend"))
    assert "there is no active initialization" in refused.stderr


def test_a_trim_is_for_devices_that_can(bench: Bench) -> None:
    leaf = bench.create(("data", "stripe", 1)).vdevs[0]
    if leaf.trims:
        bench.host.run(ZpoolTrim(name=POOL, vdev=leaf.guid))
        bench.until(lambda pool: pool.vdevs[0].trim is not None)
        return
    refused = bench.refuse(ZpoolTrim(name=POOL, vdev=leaf.guid))
    assert refused.exit != 0
    assert "trim operations" in refused.stderr


def test_live_figures_come_for_the_pool_and_each_vdev(bench: Bench) -> None:
    pool = bench.create(("data", "mirror", 2))
    whole, *rest = read_iostat(bench.host, POOL)
    mirror = pool.vdevs[0]
    assert [row.guid for row in rest] == [mirror.guid, *(leaf.guid for leaf in mirror.children)]
    assert (whole.guid, (whole.allocated_bytes or 0) + (whole.free_bytes or 0)) == (None, pool.size_bytes)
    assert (rest[1].allocated_bytes, rest[1].free_bytes) == (0, 0)


def test_a_vdev_that_is_not_there_is_refused(bench: Bench) -> None:
    bench.create(("data", "mirror", 2))
    gone = "1234567890123456789"
    for command in (
        ZpoolClear(name=POOL, vdev=gone),
        ZpoolOffline(name=POOL, vdev=gone),
        ZpoolDetach(name=POOL, vdev=gone),
    ):
        assert "no such device in pool" in bench.refuse(command).stderr, command
    online = bench.refuse(ZpoolOnline(name=POOL, vdev=gone))
    assert (online.exit, online.stderr) == (1, f'couldn\'t find device "{gone}" in pool "{POOL}"\n')


@pytest.mark.parametrize(
    "command",
    [ZpoolScrub(name="contract9"), ZpoolClear(name="contract9"), ZpoolCheckpoint(name="contract9")],
    ids=lambda command: type(command).__name__,
)
def test_a_pool_that_is_not_there_is_refused(host: Host, command: Command) -> None:
    assert "cannot open 'contract9': no such pool" in Bench(host, ()).refuse(command).stderr
