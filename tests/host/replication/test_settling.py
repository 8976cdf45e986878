"""What a run leaves when it is cut off anywhere, and how often it asks the other machine."""

from __future__ import annotations

from collections import Counter
from copy import deepcopy
from pathlib import Path

import msgspec
import pytest

from host.base import Result
from host.commands.base import Command
from host.commands.datasets.zfs import ZfsCreate
from host.commands.pools.zpool import VdevSpec, ZpoolCreate
from host.commands.replication.over import Over
from host.commands.replication.points import TakePoint
from host.commands.replication.streams import ForgetSnapshots, ReceiveStream, SendRest, SendStream
from host.commands.replication.task import ReplicaRetention, Task
from host.pipeline import Carried
from host.programs.replicate.progress import Progress
from host.programs.replicate.run import Run
from host.programs.replicate.side import Side
from host.replication.values import Replicated
from host.simulated.replication.points import Inside
from host.simulated.replication.streams import transfer
from host.simulated.state import Machine
from tests.host.pool_bench import PoolBench

TASK = Task(id="0123456789abcdef", source="tank/data", root="second", target="second/data")
TAG = f"nasweb-{TASK.id}"


class CutOff(Exception):
    """The machine lost its power."""


class Counting:
    """A side's host. It dies before a command that would change anything, once `left` is used up."""

    kind = "simulated"

    def __init__(self, machine: Machine, left: int | None = None) -> None:
        self._inside, self._left = Inside(machine), left
        self.over = Counter[str]()

    def run(self, command: Command) -> Result:
        """As `Inside.run`: a command for the other machine is carried out on the same one."""
        if isinstance(command, Over):
            command = command.command
            self.over[type(command).__name__] += 1
        if not command.reads:
            self.spend()
        return self._inside.run(command)

    def spend(self) -> None:
        """One change more."""
        if self._left is not None:
            if self._left == 0:
                raise CutOff
            self._left -= 1


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    bench = PoolBench(tmp_path)
    bench.create(("data", "mirror", 2), data=0)
    second = (VdevSpec(role="data", layout="stripe", devices=(bench.parts[2],)),)
    bench.host.run(ZpoolCreate(name="second", vdevs=second, mountpoint="/second"))
    for name in ("tank/data", "tank/data/a b", "tank/data/c"):
        bench.host.run(ZfsCreate(name=name))
    return bench.host.machine()


def run(machine: Machine, host: Counting, task: Task = TASK) -> Replicated:
    """One run of it, as the program carries it out."""
    progress = Progress(task.id, machine.now, None)

    def over(command: Command) -> Command:
        return Over(connection="0123456789abcdef", kind="nasweb", command=command)

    def carry(stream: SendStream | SendRest, receive: ReceiveStream) -> Carried:
        assert isinstance(stream, SendStream)
        host.over[type(receive).__name__] += 1
        host.spend()
        return transfer(machine, stream, receive)

    Run(task, Side(host), Side(host, over), progress, carry).carry_out()
    return progress.content


def take(machine: Machine, tag: str) -> None:
    Inside(machine).run(TakePoint(snapshot=f"tank/data@{tag}", recursive=True))


def forget(machine: Machine, *tags: str) -> None:
    for name in ("tank/data", "tank/data/a b", "tank/data/c"):
        Inside(machine).run(ForgetSnapshots(name=name, tags=tags))


def left(machine: Machine, pool: str) -> list[tuple[list[str], int]]:
    """For each dataset the snapshots that somebody holds, and how many bookmarks there are."""
    return [
        ([one.tag for one in dataset.snapshots if one.holds], len(dataset.bookmarks))
        for name, dataset in machine.pools[pool].datasets.items()
        if "data" in name
    ]


@pytest.mark.parametrize("first", [True, False], ids=["first copy", "what follows"])
def test_a_run_that_is_cut_off_anywhere_leaves_nothing_behind(machine: Machine, *, first: bool) -> None:
    take(machine, "one")
    take(machine, "two")
    if not first:
        run(machine, Counting(machine))
        take(machine, "three")
        take(machine, "four")
        forget(machine, "one", "two")  # only the bookmark knows where to go on
    newest = "two" if first else "four"
    for steps in range(1, 100):
        tried = deepcopy(machine)
        try:
            run(tried, Counting(tried, steps))
        except CutOff:
            again = run(tried, Counting(tried))
            assert [(one.state, one.newest) for one in again.datasets] == [("current", newest)] * 3, steps
            assert left(tried, "tank") == [([], 1)] * 3, steps
            assert left(tried, "second") == [([newest], 0)] * 3, steps
        else:
            assert steps > 10
            return
    pytest.fail("It never ended")


def test_the_other_machine_is_asked_as_often_for_many_datasets_as_for_one(machine: Machine) -> None:
    """But for their streams."""
    take(machine, "one")
    run(machine, Counting(machine))
    take(machine, "two")
    host = Counting(machine)
    run(machine, host)
    assert host.over == {
        "ListDatasets": 2, "ListPoints": 2, "ReceiveStream": 3, "HoldPoints": 1, "ReleasePoints": 1,
        "SnapshotTimes": 1,
    }  # fmt: skip
    nothing = Counting(machine)
    run(machine, nothing)
    assert nothing.over == {"ListDatasets": 1, "ListPoints": 1, "SnapshotTimes": 1}


def test_its_own_retention_is_kept_of_all_replicas(machine: Machine) -> None:
    task = msgspec.structs.replace(TASK, retention=ReplicaRetention(hourly=1))
    for tag in ("one", "two", "three"):
        take(machine, tag)
    run(machine, Counting(machine), task)
    replicas = [one for name, one in machine.pools["second"].datasets.items() if "data" in name]
    assert [[one.tag for one in replica.snapshots] for replica in replicas] == [["three"]] * 3
