"""What a host is, and how a command can fail on it."""

from __future__ import annotations

from typing import Protocol

import msgspec

from host.commands.base import Command


class Result(msgspec.Struct, frozen=True, kw_only=True):
    """What a finished command left: its exit status and its two streams as text.

    `cut` where stdout went beyond the command's `most_bytes`: the rest was not waited for.
    """

    exit: int
    stdout: str = ""
    stderr: str = ""
    cut: bool = False


class HostError(Exception):
    """The machine could not be asked, or a command did not succeed."""


class HostUnavailable(HostError):
    """Nobody answers: the helper is not running, or refuses this user."""


class UnknownFormat(HostError):
    """An answer of the machine is not in a format that is known here."""


class CommandFailed(HostError):
    """A command ended with a status that is not success. Keeps the raw text and guesses no cause."""

    def __init__(self, command: Command, result: Result) -> None:
        self.command = command
        self.result = result
        said = result.stderr.strip() or result.stdout.strip() or "it said nothing"
        super().__init__(f"{' '.join(command.argv()[:2])} ended with status {result.exit}: {said}")


class CommandTimedOut(CommandFailed):
    """A command was stopped because it took longer than its `timeout_s`."""


class Host(Protocol):
    """A machine that carries out commands: this one, one behind the helper, or a simulated one."""

    kind: str  # "local" or "simulated", as `system/` reports it

    def run(self, command: Command) -> Result:
        """Carry out `command` and return what it left. Raises `CommandFailed` or `HostUnavailable`."""
        ...


def explained(host: Host, command: Command, result: Result) -> Result:
    """`result` of a command that failed, with what another program says of the reason behind its stderr."""
    reason = None if result.cut or result.exit in command.good_exits else command.explained_by(result.stderr)
    if reason is None:
        return result
    try:
        said = host.run(reason).stdout
    except HostError:
        return result  # the failure itself is what matters
    return msgspec.structs.replace(result, stderr=result.stderr + said)


def check(command: Command, result: Result) -> Result:
    """`result` if it counts as success for `command`; raises `CommandFailed` otherwise."""
    if result.exit not in command.good_exits and not result.cut:  # what is cut off was ended on purpose
        raise CommandFailed(command, result)
    if (fault := command.fault(result.stdout, result.stderr)) is not None:
        raise CommandFailed(command, msgspec.structs.replace(result, stderr=f"{fault}\n"))
    return result
