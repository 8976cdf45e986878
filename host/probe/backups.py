"""Parsers of what our programs report of repositories, and the state of a run."""

from __future__ import annotations

from typing import cast

import msgspec

from host.base import Host, UnknownFormat
from host.commands.backups import ListBackupRuns, ReadBackupRun, run_unit
from host.commands.base import Command
from host.probe.reports import standing
from host.repositories.answers import Action, Answer, RepositoryFault, RunReport
from host.repositories.words import RepositoryProblem

_answers: msgspec.json.Decoder[Answer] = msgspec.json.Decoder(Answer)
_reports = msgspec.json.Decoder(RunReport)
_CUT_OFF = (
    "It ended without a word of its own, as at a power cut or a restart of the machine. What it had stored "
    "until then is not lost: start it again."
)


def ask_repository[T: msgspec.Struct](host: Host, command: Command, kind: type[T]) -> T:
    """The answer of an asking command of `host.commands.backups`. Raises `RepositoryProblem`, `HostError`."""
    try:
        answer = _answers.decode(host.run(command).stdout)
    except msgspec.DecodeError as error:
        raise UnknownFormat(f"The answer about a repository is in another format: {error}") from None
    if isinstance(answer, RepositoryFault):
        raise RepositoryProblem(answer.code, answer.message)
    if not isinstance(answer, kind):
        raise UnknownFormat(f"The answer is a {type(answer).__name__} instead of a {kind.__name__}.")
    return answer


def read_run(host: Host, run: str, action: str, started_at: str) -> RunReport:
    """How a run stands; where its report is gone, it failed. Raises `HostError`."""
    found = standing(
        lambda: _report(host, run), host=host, units=ListBackupRuns(), unit=run_unit(run), cut_off=_CUT_OFF
    )
    if found is None:
        return RunReport(
            run=run, action=cast("Action", action), started_at=started_at, updated_at=started_at,
            finished_at=started_at, verdict="failed", code="cut-off", words=_CUT_OFF,
        )  # fmt: skip
    return found


def _report(host: Host, run: str) -> RunReport | None:
    text = host.run(ReadBackupRun(run=run)).stdout
    return _reports.decode(text) if text else None
