"""What a run keeps others from destroying, what others keep it from, and what it leaves behind."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import msgspec
import pytest

from host.base import CommandFailed
from host.commands.base import Command
from host.commands.replication.points import HoldPoints, TakePoint
from host.commands.replication.streams import ForgetSnapshots, ReceiveStream, SendRest, SendStream
from host.commands.replication.task import ReplicaRetention, Task
from host.pipeline import Carried
from host.programs.replicate.progress import Progress, begin_report
from host.programs.replicate.run import Broken, Carrying, Run, forget
from host.programs.replicate.side import Side
from host.replication.values import Replica, Replicated
from host.simulated.replication.points import Inside
from host.simulated.replication.streams import transfer
from host.simulated.state import Machine
from tests.host.replication.test_settling import TASK, left, machine, take

__all__ = ["machine"]
ALONE = msgspec.structs.replace(TASK, recursive=False)


def ran(machine: Machine, task: Task = ALONE, carry: Carrying | None = None) -> Replicated:
    """One run, an hour after the one before."""
    machine.ahead_s += 3600
    progress, side = Progress(task.id, machine.now, None), Side(Inside(machine))

    def whole(stream: SendStream | SendRest, receive: ReceiveStream) -> Carried:
        assert isinstance(stream, SendStream)
        return transfer(machine, stream, receive)

    now = datetime.fromtimestamp(machine.now(), UTC)
    Run(task, side, side, progress, carry or whole, now=lambda: now).carry_out()
    return progress.content


def tags(machine: Machine, name: str) -> list[str]:
    return [one.tag for one in machine.pools[name.partition("/")[0]].datasets[name].snapshots]


def test_what_is_on_the_way_outlasts_the_policy_of_the_source(machine: Machine) -> None:
    """Else the replica would have a snapshot that the source has not, and no stream could lead on."""
    for tag in ("one", "two", "three", "four"):
        take(machine, tag)

    def cut(stream: SendStream | SendRest, receive: ReceiveStream) -> Carried:
        assert isinstance(stream, SendStream)
        if not stream.between:
            return transfer(machine, stream, receive)
        transfer(machine, msgspec.structs.replace(stream, snapshot="tank/data@three"), receive)
        raise Broken("connection", "the cable")

    with pytest.raises(Broken):
        ran(machine, carry=cut)
    assert tags(machine, "second/data") == ["one", "two", "three"]
    with pytest.raises(CommandFailed, match="held"):
        Inside(machine).run(ForgetSnapshots(name="tank/data", tags=("three",)))
    take(machine, "five")
    done = ran(machine)
    assert [(one.state, one.newest) for one in done.datasets] == [("current", "five")]
    assert left(machine, "tank")[0] == ([], 1)


def test_what_cannot_arrive_holds_two_snapshots_and_no_more_with_each_run(machine: Machine) -> None:
    take(machine, "one")
    ran(machine)
    full = Carried(
        size_bytes=0, stopped=False, sender_exit=1, sender_said="", receiver_exit=1,
        receiver_said="out of space",
    )  # fmt: skip
    for tag in ("two", "three", "four", "five"):
        take(machine, tag)
        assert ran(machine, carry=lambda *_: full).datasets[0].state == "failed"
        held = [one.tag for one in machine.pools["tank"].datasets["tank/data"].snapshots if one.holds]
        assert held == ["one", "two"]
    Inside(machine).run(ForgetSnapshots(name="tank/data", tags=("three", "four")))


@pytest.mark.parametrize("pool", ["tank", "second"])
def test_a_snapshot_that_somebody_holds_keeps_no_other_and_fails_no_run(machine: Machine, pool: str) -> None:
    task = msgspec.structs.replace(TASK, own_snapshots=True, retention=ReplicaRetention(hourly=1))
    ran(machine, task)
    place = {"tank": "tank/data", "second": "second/data"}[pool]
    (first,) = tags(machine, place)
    Inside(machine).run(HoldPoints(snapshots=(f"{place}@{first}",), tag="mine"))
    for _ in range(2):
        done = ran(machine, task)
        assert {one.state for one in done.datasets} == {"current"} and all(
            one.newest_at for one in done.datasets
        )
    newest = done.datasets[0].newest
    assert tags(machine, place) == [first, newest]
    other = f"{place}/c"
    assert tags(machine, other) == [newest]


def test_its_own_snapshots_do_not_pile_up_where_nothing_is_sent(machine: Machine) -> None:
    """None where it is left out; the newest, and what the replica has, where that has gone its own way."""
    task = msgspec.structs.replace(TASK, own_snapshots=True, excluded=("tank/data/c",))
    ran(machine, task)
    Inside(machine).run(TakePoint(snapshot="second/data/a b@mine"))
    for _ in range(3):
        states = {one.source: one.state for one in ran(machine, task).datasets}
        assert states == {"tank/data": "current", "tank/data/a b": "conflict"}
    assert [len(tags(machine, name)) for name in ("tank/data", "tank/data/a b", "tank/data/c")] == [1, 2, 0]


def test_one_side_can_be_let_go_of_alone(machine: Machine) -> None:
    take(machine, "one")
    ran(machine)

    def over(command: Command) -> Command:
        raise AssertionError(f"The other machine is asked for {command}")

    forget(ALONE, Side(Inside(machine)), Side(Inside(machine), over), here_only=True)
    assert left(machine, "tank")[0] == ([], 0)
    assert left(machine, "second")[0] == (["one"], 0)


def test_what_another_machine_says_is_kept_short(machine: Machine, tmp_path: Path) -> None:
    report = begin_report(tmp_path, ALONE.id, machine.now)
    progress = Progress(ALONE.id, machine.now, report)
    many = tuple(f"{number}" * 9000 for number in range(1, 200))
    progress.begin((Replica(source="tank/data", target="second/data"),), left_behind=many)
    progress.note("tank/data", state="failed", said="x" * 100_000, extra=many)
    progress.end("failed", "y" * 100_000, "root-missing")
    assert (tmp_path / f"{ALONE.id}.json").stat().st_size < 1 << 20
    assert progress.datasets[0].said == "x" * 4096 and len(progress.datasets[0].extra) == 100
