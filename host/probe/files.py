"""Parsers of what our programs report of files, and the state of a restore."""

from __future__ import annotations

import msgspec

from host.base import Host, UnknownFormat
from host.commands.base import Command
from host.commands.files import ListRestores, ReadRestore, restore_unit
from host.files.answers import FileProblem, FolderPage, Measure, Restored, Sightings, TextDiff
from host.probe.reports import standing

_Answer = FolderPage | Sightings | Measure | TextDiff | FileProblem
_answers: msgspec.json.Decoder[_Answer] = msgspec.json.Decoder(_Answer)
_restored = msgspec.json.Decoder(Restored)
_CUT_OFF = (
    "It ended without a word of its own, as at a power cut or a restart of the machine. Restore it again."
)


class NoFiles(Exception):
    """There is no answer: `problem` says why."""

    def __init__(self, problem: FileProblem) -> None:
        self.problem = problem
        super().__init__(problem.message)


def read_files[T: msgspec.Struct](host: Host, command: Command, kind: type[T]) -> T:
    """The answer of a reading command of `host.commands.files`. Raises `NoFiles`, `HostError`."""
    text = host.run(command).stdout
    try:
        answer = _answers.decode(text)
    except msgspec.DecodeError as error:
        raise UnknownFormat(f"The answer about files is in another format: {error}") from None
    if isinstance(answer, FileProblem):
        raise NoFiles(answer)
    if not isinstance(answer, kind):
        raise UnknownFormat(f"The answer is a {type(answer).__name__} instead of a {kind.__name__}.")
    return answer


def read_restore(host: Host, restore: str) -> Restored | None:
    """How a restore stands; None where none is known. Raises `HostError`."""
    return standing(
        lambda: _report(host, restore),
        host=host,
        units=ListRestores(),
        unit=restore_unit(restore),
        cut_off=_CUT_OFF,
    )


def _report(host: Host, restore: str) -> Restored | None:
    text = host.run(ReadRestore(restore=restore)).stdout
    return _restored.decode(text) if text else None
