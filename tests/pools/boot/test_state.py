"""/var and /home on a pool: the way there, a start without the pool, and the way back."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from host.commands.datasets.zfs import ZfsCreate, ZfsDestroy
from host.commands.disks.partition import WritePartition
from host.commands.pools.zpool import VdevSpec, ZpoolCreate
from host.commands.system.moved_state import ForgetState, StartStateCopy, WatchState, dataset_of
from host.inventory import FolderSpace, Inventory, MovedState
from host.probe.system.moved import parse_moved
from host.probe.whole import probe
from host.simulated import SimulatedHost
from host.simulated.system.moved_state import COPY_S
from jobs.plan import Plan, Refused
from pools import destroy_pool
from pools.boot import discard_state, move_state, return_state
from pools.boot.discard_state import DiscardState
from pools.boot.move_state import MoveState
from pools.boot.return_state import ReturnState
from pools.travel import export_pool

SPACES = "Mounted on Used Avail\n/ 3100000000 9000000000\n/ 3100000000 9000000000\n/ 3100000000 9000000000\n"


@pytest.fixture
def host(tmp_path: Path) -> SimulatedHost:
    """A machine with a pool."""
    made = SimulatedHost(tmp_path / "machine.json", "flash4")
    disks = tuple(disk for disk in probe(made).disks if disk.free)[:2]
    for disk in disks:
        made.run(WritePartition(disk=disk.link, size_mib=100_000))
    mirror = VdevSpec(role="data", layout="mirror", devices=tuple(f"{disk.link}-part1" for disk in disks))
    made.run(ZpoolCreate(name="tank", vdevs=(mirror,), mountpoint="/mnt/tank"))
    return made


def carry_out(host: SimulatedHost, plan: Plan) -> None:
    for step in plan.steps:
        for command in step.commands:
            host.run(command)


def moved(host: SimulatedHost) -> MovedState:
    carry_out(host, move_state.plan(MoveState(pool="tank"), probe(host)))
    host.pass_time(COPY_S + 1)
    host.restart_state()
    return probe(host).moved


def refused(plan: Any, request: Any, inventory: Inventory) -> list[str]:
    with pytest.raises(Refused) as refusal:
        plan(request, inventory)
    return [finding.code for finding in refusal.value.findings if finding.level == "error"]


def test_what_the_files_tell_is_read() -> None:
    place = "".join(
        f"/etc/nasweb/state/place\0{line}\n"
        for line in ("pool=tank", "guid=42", "what=var home", "since=2026-11-02T03:04:05Z")
    )
    report = "/run/nasweb-state/told\0from=here\n/run/nasweb-state/told\0why=pool-missing\n"
    found = parse_moved(place + report, "", SPACES)
    assert (found.phase, found.pool, found.guid, found.folders) == ("moved", "tank", "42", ("var", "home"))
    assert (found.since, found.falls_back, found.why) == ("2026-11-02T03:04:05Z", True, "pool-missing")
    assert found.spaces[0] == FolderSpace(mountpoint="/", used_bytes=185 << 24, free_bytes=536 << 24)
    slightly = SPACES.replace("3100000000 9000000000", "3100028672 8999971328")
    assert parse_moved(place + report, "", slightly) == found  # 28 KiB, as the console itself writes
    odd = parse_moved(place + report.replace("pool-missing", "eclipse"), "", SPACES)
    assert odd.why == "unknown"
    crypttab = "/etc/crypttab\0# <target> <source>\n/etc/crypttab\0swap /dev/sdz3 /dev/urandom swap\n"
    assert parse_moved(crypttab, "", "").crypttab is True
    assert parse_moved(crypttab.splitlines(keepends=True)[0], "", "").crypttab is False


def test_they_are_copied_while_the_machine_works_and_the_next_start_switches(host: SimulatedHost) -> None:
    plan = move_state.plan(MoveState(pool="tank"), probe(host))
    made = [command.name for command in plan.steps[0].commands if isinstance(command, ZfsCreate)]
    assert made == [dataset_of("tank"), dataset_of("tank", "var"), dataset_of("tank", "home")]
    assert [type(command) for command in plan.steps[1].commands][-2:] == [WatchState, StartStateCopy]
    carry_out(host, plan)
    now = probe(host)
    assert (now.moved.phase, now.moved.pool, now.moved.named) == ("copying", "tank", "/var and /home")
    assert not any(".nasweb-state" in one.name for one in now.datasets)
    assert refused(move_state.plan, MoveState(pool="tank"), now) == ["moved-already"]
    host.pass_time(COPY_S + 1)
    assert probe(host).moved.phase == "waiting"
    host.restart_state()
    now = probe(host)
    assert (now.moved.phase, now.moved.here, now.moved.falls_back) == ("moved", False, False)
    assert now.moved.since is not None
    assert [space.mountpoint for space in now.moved.spaces] == ["/", "/var", "/home"]


def test_a_copy_that_was_broken_off_changes_nothing_and_begins_again(host: SimulatedHost) -> None:
    carry_out(host, move_state.plan(MoveState(pool="tank", folders=("var",)), probe(host)))
    host.restart_state()
    now = probe(host)
    assert (now.moved.phase, now.moved.here) == ("broken-off", True)
    plan = move_state.plan(MoveState(pool="tank", folders=("var",)), now)
    assert len(plan.steps) == 1  # the datasets are there
    carry_out(host, plan)
    assert probe(host).moved.phase == "copying"


def test_a_start_without_the_pool_uses_what_was_here_on_the_day_of_the_move(host: SimulatedHost) -> None:
    moved(host)
    host.move_away("tank")
    host.restart_state()
    now = probe(host)
    assert (now.moved.falls_back, now.moved.why, now.moved.phase) == (True, "pool-missing", "moved")
    assert refused(return_state.plan, ReturnState(), now) == ["pool-not-there"]
    plan = return_state.plan(ReturnState(as_here=True), now)
    assert isinstance(plan.steps[0].commands[0], ForgetState)
    assert plan.confirm == "tank"
    assert "given-up" in {finding.code for finding in plan.findings}
    carry_out(host, plan)
    assert probe(host).moved.phase == "none"


def test_they_come_back_at_the_next_start(host: SimulatedHost) -> None:
    moved(host)
    assert refused(return_state.plan, ReturnState(as_here=True), probe(host)) == ["in-use"]
    carry_out(host, return_state.plan(ReturnState(), probe(host)))
    now = probe(host)
    assert (now.moved.phase, now.moved.here) == ("returning", False)
    assert refused(return_state.plan, ReturnState(), now) == ["returning-already"]
    host.restart_state()
    now = probe(host)
    assert (now.moved.phase, now.moved.here, now.moved.uses) == ("none", True, False)


def test_what_was_left_on_a_pool_is_not_written_over_and_goes_by_a_plan(host: SimulatedHost) -> None:
    moved(host)
    wish = DiscardState(pool="tank")
    assert refused(discard_state.plan, wish, probe(host)) == ["state-in-use"]
    carry_out(host, return_state.plan(ReturnState(), probe(host)))
    host.restart_state()
    now = probe(host)
    assert refused(move_state.plan, MoveState(pool="tank"), now) == ["left-from-before"]
    names = tuple(dataset_of("tank", folder) for folder in (None, "home", "var"))
    lost = destroy_pool.plan(destroy_pool.DestroyPool(name="tank"), now).destroys
    assert {loss.dataset for loss in lost} >= set(names)
    plan = discard_state.plan(wish, now)
    assert tuple(loss.dataset for loss in plan.destroys) == names
    assert (plan.confirm, plan.claims) == ("tank", ("boot:state", "pool:tank"))
    carry_out(host, plan)
    now = probe(host)
    assert now.keeping == ()
    assert refused(discard_state.plan, wish, now) == ["nothing-left"]
    assert move_state.plan(MoveState(pool="tank"), now).steps


def test_a_pool_that_fills_up_leaves_room_for_the_state(host: SimulatedHost) -> None:
    inventory = probe(host)
    plan = move_state.plan(MoveState(pool="tank"), inventory)
    made = plan.steps[0].commands[0]
    assert isinstance(made, ZfsCreate)
    # What the system's disk holds is the most that they can be, and there is a GiB beside it.
    used = inventory.moved.spaces[0].used_bytes
    assert 1 << 30 < int(made.properties["reservation"]) - used <= 2 << 30


def test_room_is_counted_on_a_pool_that_got_another_name(host: SimulatedHost) -> None:
    moved(host)
    host.fill_root(free_bytes=300 << 20)
    now = probe(host)
    old = msgspec.structs.replace(now, moved=msgspec.structs.replace(now.moved, pool="old"))
    assert refused(return_state.plan, ReturnState(), old) == ["no-space"]


def test_without_room_they_stay_on_the_pool(host: SimulatedHost) -> None:
    moved(host)
    host.fill_root(free_bytes=100 << 20)
    assert refused(return_state.plan, ReturnState(), probe(host)) == ["no-space"]


def test_a_move_is_called_off_with_its_copies(host: SimulatedHost) -> None:
    assert refused(return_state.plan, ReturnState(), probe(host)) == ["not-moved"]
    carry_out(host, move_state.plan(MoveState(pool="tank"), probe(host)))
    plan = return_state.plan(ReturnState(), probe(host))
    assert plan.steps[-1].commands == (ZfsDestroy(name=dataset_of("tank"), recursive=True),)
    carry_out(host, plan)
    now = probe(host)
    assert (now.moved.phase, now.keeping) == ("none", ())


def test_the_pool_is_not_let_go_while_it_holds_them(host: SimulatedHost) -> None:
    assert export_pool.plan(export_pool.ExportPool(name="tank"), probe(host)).steps
    moved(host)
    inventory = probe(host)
    assert refused(export_pool.plan, export_pool.ExportPool(name="tank"), inventory) == ["system-state"]
    assert refused(destroy_pool.plan, destroy_pool.DestroyPool(name="tank"), inventory) == ["system-state"]


def test_pools_that_a_start_cannot_count_on_are_refused(host: SimulatedHost) -> None:
    inventory = probe(host)
    wish = MoveState(pool="tank")
    assert refused(move_state.plan, MoveState(pool="none"), inventory) == ["unknown-pool"]
    locked = msgspec.structs.replace(inventory.moved, crypttab=True)
    assert refused(move_state.plan, wish, msgspec.structs.replace(inventory, moved=locked)) == ["crypttab"]
    own = FolderSpace(mountpoint="/var", used_bytes=1, free_bytes=1)
    apart = msgspec.structs.replace(
        inventory.moved, spaces=(inventory.moved.spaces[0], own, inventory.moved.spaces[2])
    )
    assert refused(move_state.plan, wish, msgspec.structs.replace(inventory, moved=apart)) == [
        "mounted-already"
    ]
    full = msgspec.structs.replace(inventory.moved.spaces[0], used_bytes=10**15)
    big = msgspec.structs.replace(inventory.moved, spaces=(full, *inventory.moved.spaces[1:]))
    assert refused(move_state.plan, wish, msgspec.structs.replace(inventory, moved=big)) == ["no-space"]
    host.forget_pool("tank")
    assert refused(move_state.plan, wish, probe(host)) == ["not-imported-at-start"]
