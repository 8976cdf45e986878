"""How a module of the simulator says which of its functions answers which command."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from host.base import Result
from host.commands.base import Command
from host.simulated.refusal import done
from host.simulated.state import Machine

# A text is what a program that succeeds prints; None is success without a word.
Said = Result | str | None
# The bytes are the secret on the program's standard input.
Handlers = dict[type[Command], Callable[[Machine, Any, bytes], Result]]


def on[C: Command](kind: type[C], answer: Callable[[Machine, C], Said]) -> Handlers:
    """A row for a command whose fields matter."""
    return {kind: lambda machine, command, _given: _result(answer(machine, command))}


def always(kind: type[Command], answer: Callable[[Machine], Said]) -> Handlers:
    """A row for a command that has no fields, or whose answer does not depend on them."""
    return {kind: lambda machine, _command, _given: _result(answer(machine))}


def fed[C: Command](kind: type[C], answer: Callable[[Machine, C, bytes], Said]) -> Handlers:
    """A row for a command that reads a secret."""
    return {kind: lambda machine, command, given: _result(answer(machine, command, given))}


def _result(said: Said) -> Result:
    return said if isinstance(said, Result) else done(said or "")
