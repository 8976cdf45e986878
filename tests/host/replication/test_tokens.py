"""What a target says of a broken stream is held to the task before anything is sent."""

from __future__ import annotations

import pytest
from msgspec import structs

from host.base import CommandFailed, Result
from host.commands.base import Command
from host.commands.replication.over import Over
from host.commands.replication.streams import SendRest
from host.commands.replication.task import Task
from host.programs.replicate.progress import Progress
from host.programs.replicate.run import Run
from host.programs.replicate.side import Side
from host.programs.replicate.tokens import GuidOf, SayToken, Unsendable, read, rest_of

TOKEN = "1-bf31b879a-b8-789c63"
TASK = Task(id="0" * 16, source="tank/secret", root="vault", target="vault/secret", raw=True)
SOURCE = "tank/secret\t11\tfilesystem\t0\t9\taes-256-gcm\tavailable\t-\n"
POINTS = "tank/secret@one\t42\t5\ntank/secret@two\t43\t6\n"


class Machine:
    """Both sides: the replica's tokens are as the other one says, and zfs says what is in them."""

    kind = "local"

    def __init__(
        self, *, toname: str = "tank/secret@two", guid: int = 43, raw: bool = True, source: str = SOURCE
    ) -> None:
        self.toname, self.guid, self.raw, self.source = toname, guid, raw, source
        self.token = TOKEN
        self.ran: list[Command] = []

    def run(self, command: Command) -> Result:
        self.ran.append(command)
        if isinstance(command, Over):
            return Result(exit=0, stdout=self._there(type(command.command).__name__))
        match command:
            case SayToken():
                rawok = "\trawok = 1\n" if self.raw else ""
                said = f"\ttoguid = {self.guid:#x}\n\ttoname = {self.toname}\n{rawok}"
                return Result(exit=0, stdout=f"resume token contents:\nnvlist version: 0\n{said}")
            case GuidOf():
                return Result(exit=0, stdout=f"{self.guid}\n")
            case SendRest():
                return Result(exit=0, stdout="size\t1000\n")
        return Result(exit=0, stdout=self.source if type(command).__name__ == "ListDatasets" else POINTS)

    def _there(self, asked: str) -> str:
        if asked != "ListDatasets":
            return "vault/secret@one\t42\t5\n"
        return f"vault/secret\t12\tfilesystem\t0\t9\taes-256-gcm\tunavailable\t{self.token}\n"


def planned(machine: Machine, task: Task = TASK) -> tuple[str, str]:
    """What becomes of the dataset: its state and its code."""

    def over(command: Command) -> Command:
        return Over(connection="0123456789abcdef", kind="ssh", command=command)

    progress = Progress(task.id, lambda: 0.0, None)
    Run(task, Side(machine), Side(machine, over), progress).plan()
    (one,) = progress.datasets
    return one.state, one.code


def test_the_rest_of_a_stream_of_its_own_goes_on() -> None:
    assert planned(Machine()) == ("waiting", "")


@pytest.mark.parametrize(
    "machine",
    [
        Machine(raw=False),  # readable, though the task sends it as it lies on the disks
        Machine(toname="tank/other@two"),
        Machine(toname="tank/secret/below@two"),
        Machine(toname="tank/secret@gone"),
        Machine(guid=44),
    ],
    ids=["readable", "another dataset", "below it", "another snapshot", "another guid"],
)
def test_a_token_that_the_target_made_up_sends_nothing(machine: Machine) -> None:
    assert planned(machine) == ("conflict", "stale-token")
    assert not any(isinstance(one, SendRest) for one in machine.ran)


@pytest.mark.parametrize("token", ["-R", "1-a-b-c --", "--help", "", "1-a-b"])
def test_what_is_no_token_is_given_to_no_command(token: str) -> None:
    machine = Machine()
    machine.token = token
    assert planned(machine) == ("conflict", "stale-token")
    assert not any(isinstance(one, SayToken | SendRest) for one in machine.ran)


def test_a_task_that_sends_readable_streams_takes_either() -> None:
    assert planned(Machine(raw=False), structs.replace(TASK, raw=False)) == ("waiting", "")


def test_what_is_not_encrypted_goes_on_in_a_task_that_sends_raw() -> None:
    """Its token never says raw: there is nothing that could not be read."""
    plain = "tank/secret\t11\tfilesystem\t0\t9\toff\t-\t-\n"
    assert planned(Machine(raw=False, source=plain)) == ("waiting", "")


def test_reads_whether_a_stream_is_raw() -> None:
    text = "resume token contents:\nnvlist version: 0\n\ttoguid = 0x2a\n\ttoname = tank/a@b\n"
    assert read(text).raw is False
    assert read(f"{text}\trawok = 1\n").raw is True


def test_a_snapshot_that_is_gone_cannot_be_sent() -> None:
    class Gone(Machine):
        def run(self, command: Command) -> Result:
            if isinstance(command, GuidOf):
                raise CommandFailed(command, Result(exit=1))
            return super().run(command)

    with pytest.raises(Unsendable):
        rest_of(TOKEN, Gone())
