"""Runs of replications: each is a program in a unit of its own, one at a time for a task.

The task is one argument of the program, as JSON: it names datasets and where they go, and no secret.
"""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from host.commands.base import Command, DatasetName, PoolsCommand
from host.commands.replication.task import Task, TaskId, within
from host.commands.starting import START_S, begun, explained, last_line, python, waited

REPORTS = "/var/lib/nasweb-replication"  # StateDirectory= of the drop-in
PREFIX = "nasweb-replication-"
RUNS, PROOFS = f"{PREFIX}run-", f"{PREFIX}prove-"
_PROGRAM = python("replicate")
_Key = Annotated[str, Meta(pattern=r"\A[0-9a-f]{16}\Z")]


def run_unit(task: str) -> str:
    """The unit in which a task runs."""
    return f"{RUNS}{task}.service"


def proof_unit(task: str) -> str:
    """The unit in which the replica of a task is proven."""
    return f"{PROOFS}{task}.service"


def _text(task: Task) -> str:
    return msgspec.json.encode(task).decode()


class PlanReplication(Command, frozen=True, kw_only=True):
    """What a run would send now, dataset by dataset, with its bytes; as JSON. `key` is new each time."""

    reads = True
    timeout_s = 900.0
    task: Task
    key: _Key

    def argv(self) -> tuple[str, ...]:
        unit = f"{PREFIX}plan-{self.task.id}-{self.key}.service"
        return (*waited(unit), *_PROGRAM, "plan", f"--task={_text(self.task)}")


class ReplicationSaid(Command, frozen=True, kw_only=True):
    """The last line that a run's program wrote: why it refuses."""

    reads = True
    timeout_s = 20.0
    task: TaskId

    def argv(self) -> tuple[str, ...]:
        return last_line(run_unit(self.task))


class StartReplication(PoolsCommand, frozen=True, kw_only=True):
    """Begin a run. It goes on by itself, and writes a report."""

    timeout_s = START_S
    task: Task

    def argv(self) -> tuple[str, ...]:
        run = begun(run_unit(self.task.id), f"Nasweb replication to {self.task.target}")
        return (*run, *_PROGRAM, "run", f"--task={_text(self.task)}")

    def explained_by(self, said: str) -> Command | None:
        return explained(said, by=ReplicationSaid(task=self.task.id))


class FinishReplication(PoolsCommand, frozen=True, kw_only=True):
    """Run a task and wait for its end: for what is written to no more. Fails unless all of it arrived."""

    timeout_s = 3600.0
    task: Task

    def argv(self) -> tuple[str, ...]:
        run = waited(run_unit(self.task.id))
        return (*run, *_PROGRAM, "finish", f"--task={_text(self.task)}")


class StartProof(Command, frozen=True, kw_only=True):
    """Begin to compare a sample of the replica's files with the source's. Both are only read."""

    timeout_s = START_S
    task: Task

    def argv(self) -> tuple[str, ...]:
        run = begun(proof_unit(self.task.id), f"Nasweb proof of {self.task.target}")
        return (*run, *_PROGRAM, "prove", f"--task={_text(self.task)}")


class ReadProof(Command, frozen=True, kw_only=True):
    """The report of the last proof of a task, as JSON; status 1 where there is none."""

    reads = True
    good_exits = (0, 1)
    task: TaskId

    def argv(self) -> tuple[str, ...]:
        return ("cat", f"{REPORTS}/{self.task}.proof.json")


class StopReplication(PoolsCommand, frozen=True, kw_only=True):
    """Ask for the end of a run and wait for it. What has arrived stays; the next run goes on from there."""

    timeout_s = 180.0
    good_exits = (0, 5)  # 5: it has ended
    task: TaskId

    def argv(self) -> tuple[str, ...]:
        return ("systemctl", "stop", run_unit(self.task))


class StopProof(PoolsCommand, frozen=True, kw_only=True):
    """Ask for the end of a comparison and wait for it."""

    timeout_s = 60.0
    good_exits = (0, 5)  # 5: it has ended
    task: TaskId

    def argv(self) -> tuple[str, ...]:
        return ("systemctl", "stop", proof_unit(self.task))


class ForgetReplication(PoolsCommand, frozen=True, kw_only=True):
    """Take the marks of a task (holds and bookmarks) off both sides. Snapshots and replicas stay.

    `here_only`: of this machine's side; another machine is not asked.
    """

    timeout_s = 900.0
    task: Task
    here_only: bool = False

    def argv(self) -> tuple[str, ...]:
        run = waited(f"{PREFIX}forget-{self.task.id}.service")
        action = "forget-here" if self.here_only else "forget"
        return (*run, *_PROGRAM, action, f"--task={_text(self.task)}")


class DropPartial(PoolsCommand, frozen=True, kw_only=True):
    """Drop what has arrived of a stream to one replica of a task that was broken off."""

    timeout_s = 300.0
    task: Task
    replica: DatasetName

    def __post_init__(self) -> None:
        if not within(self.replica, self.task.target):
            raise ValueError("It is no replica of this task")

    def argv(self) -> tuple[str, ...]:
        run = waited(f"{PREFIX}drop-{self.task.id}.service")
        return (*run, *_PROGRAM, "drop", f"--task={_text(self.task)}", f"--replica={self.replica}")


class ReadReplication(Command, frozen=True, kw_only=True):
    """The report of the last run of a task, as JSON; status 1 where there is none."""

    reads = True
    good_exits = (0, 1)
    task: TaskId

    def argv(self) -> tuple[str, ...]:
        return ("cat", f"{REPORTS}/{self.task}.json")


class ListReplications(Command, frozen=True, kw_only=True):
    """The units of runs and proofs that are under way, as JSON."""

    reads = True
    timeout_s = 30.0

    def argv(self) -> tuple[str, ...]:
        return (
            "systemctl",
            "list-units",
            "--all",
            "--type=service",
            "--output=json",
            f"{RUNS}*",
            f"{PROOFS}*",
        )


Commands = (
    PlanReplication
    | ReplicationSaid
    | StartReplication
    | FinishReplication
    | StartProof
    | StopProof
    | ReadProof
    | StopReplication
    | ForgetReplication
    | DropPartial
    | ReadReplication
    | ListReplications
)
