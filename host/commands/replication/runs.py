"""Runs of replications: each is a program in a unit of its own, one at a time for a task.

The task is one argument of the program, as JSON: it names datasets and where they go, and no secret.
"""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from host.commands.base import Command, DatasetName, PoolsCommand
from host.commands.files import RELEASE
from host.commands.replication.task import Task, TaskId, within

REPORTS = "/var/lib/nasweb-replication"  # StateDirectory= of the drop-in
PREFIX = "nasweb-replication-"
RUNS, PROOFS = f"{PREFIX}run-", f"{PREFIX}prove-"
# A program of low priority may need minutes to load on a busy machine. systemd gives it up before the time of
# the command ends, so that none begins that its job calls failed.
START_S = 300.0
_NOTIFIES = ("--service-type=notify", f"--property=TimeoutStartSec={START_S - 20:.0f}")
_WAITS = ("--quiet", "--pipe", "--wait")
_Key = Annotated[str, Meta(pattern=r"\A[0-9a-f]{16}\Z")]


def run_unit(task: str) -> str:
    """The unit in which a task runs."""
    return f"{RUNS}{task}.service"


def proof_unit(task: str) -> str:
    """The unit in which the replica of a task is proven."""
    return f"{PROOFS}{task}.service"


def _program(unit: str, *options: str) -> tuple[str, ...]:
    return (
        "systemd-run", "--collect", f"--unit={unit}", f"--working-directory={RELEASE}", *options,
        f"{RELEASE}/.venv/bin/python", "-m", "host.programs.replicate",
    )  # fmt: skip


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
        return (*_program(unit, *_WAITS), "plan", f"--task={_text(self.task)}")


class ReplicationSaid(Command, frozen=True, kw_only=True):
    """The last line that a run's program wrote: why it refuses."""

    reads = True
    timeout_s = 20.0
    task: TaskId

    def argv(self) -> tuple[str, ...]:
        field = f"_SYSTEMD_UNIT={run_unit(self.task)}"
        return ("journalctl", "--quiet", "--output=cat", f"--since=-{START_S:.0f}s", "--lines=1", field)


class StartReplication(PoolsCommand, frozen=True, kw_only=True):
    """Begin a run. It goes on by itself, and writes a report."""

    timeout_s = START_S
    task: Task

    def argv(self) -> tuple[str, ...]:
        run = _program(run_unit(self.task.id), *_NOTIFIES)
        return (*run, "run", f"--task={_text(self.task)}")

    def explained_by(self, said: str) -> Command | None:
        return ReplicationSaid(task=self.task.id) if said.startswith("Job for ") else None


class FinishReplication(PoolsCommand, frozen=True, kw_only=True):
    """Run a task and wait for its end: for what is written to no more. Fails unless all of it arrived."""

    timeout_s = 3600.0
    task: Task

    def argv(self) -> tuple[str, ...]:
        run = _program(run_unit(self.task.id), *_WAITS)
        return (*run, "finish", f"--task={_text(self.task)}")


class StartProof(Command, frozen=True, kw_only=True):
    """Begin to compare a sample of the replica's files with the source's. Both are only read."""

    timeout_s = START_S
    task: Task

    def argv(self) -> tuple[str, ...]:
        run = _program(proof_unit(self.task.id), *_NOTIFIES)
        return (*run, "prove", f"--task={_text(self.task)}")


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
    """Take the marks of a task (holds and bookmarks) off both sides. Snapshots and replicas stay."""

    timeout_s = 900.0
    task: Task

    def argv(self) -> tuple[str, ...]:
        run = _program(f"{PREFIX}forget-{self.task.id}.service", *_WAITS)
        return (*run, "forget", f"--task={_text(self.task)}")


class DropPartial(PoolsCommand, frozen=True, kw_only=True):
    """Drop what has arrived of a stream to one replica of a task that was broken off."""

    timeout_s = 300.0
    task: Task
    replica: DatasetName

    def __post_init__(self) -> None:
        if not within(self.replica, self.task.target):
            raise ValueError("It is no replica of this task")

    def argv(self) -> tuple[str, ...]:
        run = _program(f"{PREFIX}drop-{self.task.id}.service", *_WAITS)
        return (*run, "drop", f"--task={_text(self.task)}", f"--replica={self.replica}")


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
