"""Parsers of what our programs report of rights, and the state of a run over a whole folder."""

from __future__ import annotations

import msgspec

from host.base import Host, UnknownFormat
from host.commands.shares.rights import ListRightsRuns, ReadFolderRights, ReadRightsReport, run_unit
from host.files.answers import Applied, FileProblem, FolderRights
from host.probe.files import NoFiles
from host.probe.reports import standing

_answers: msgspec.json.Decoder[FolderRights | FileProblem] = msgspec.json.Decoder(FolderRights | FileProblem)
_applied = msgspec.json.Decoder(Applied)
_CUT_OFF = (
    "It ended without a word of its own, as at a power cut or a restart of the machine. Set the rights again."
)


def read_rights(host: Host, dataset: str, path: str) -> FolderRights:
    """What is set on a folder. Raises `NoFiles`, `HostError`."""
    text = host.run(ReadFolderRights(dataset=dataset, path=path)).stdout
    try:
        answer = _answers.decode(text)
    except msgspec.DecodeError as error:
        raise UnknownFormat(f"The answer about rights is in another format: {error}") from None
    if isinstance(answer, FileProblem):
        raise NoFiles(answer)
    return answer


def read_run(host: Host, run: str) -> Applied | None:
    """How a run stands; None where none is known. Raises `HostError`."""
    return standing(
        lambda: _report(host, run), host=host, units=ListRightsRuns(), unit=run_unit(run), cut_off=_CUT_OFF
    )


def _report(host: Host, run: str) -> Applied | None:
    text = host.run(ReadRightsReport(run=run)).stdout
    return _applied.decode(text) if text else None
