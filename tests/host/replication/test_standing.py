"""When a run and a proof have ended: their report says how, and their unit is gone."""

from __future__ import annotations

import msgspec
import pytest

from host.base import Result
from host.commands.base import Command
from host.commands.replication.runs import ListReplications, proof_unit, run_unit
from host.probe.replication import read_proof, read_run
from host.replication.proof import Proof
from host.replication.values import Replicated

TASK = "1b3aec9e4ffbd85f"
_BEGUN, _LATER = "2026-11-26T09:40:00+00:00", "2026-11-26T09:41:00+00:00"
REPORT = Replicated(task=TASK, started_at=_BEGUN, updated_at=_LATER)
DONE = msgspec.structs.replace(REPORT, verdict="done", finished_at=REPORT.updated_at)
SAME = Proof(task=TASK, verdict="same", finished_at=_LATER, started_at=_BEGUN, updated_at=_LATER)


class Machine:
    """One with these units, and one report."""

    def __init__(self, report: msgspec.Struct, *units: str, active: str = "active") -> None:
        self._report = msgspec.json.encode(report).decode()
        self._rows = msgspec.json.encode([{"unit": one, "active": active} for one in units]).decode()

    def run(self, command: Command) -> Result:
        return Result(exit=0, stdout=self._rows if isinstance(command, ListReplications) else self._report)


@pytest.mark.parametrize("active", ["active", "deactivating"])
def test_a_run_goes_on_until_its_unit_is_gone(active: str) -> None:
    """systemd refuses to start the next one as long as the last one is there."""
    ending = read_run(Machine(DONE, run_unit(TASK), active=active), TASK)  # type: ignore[arg-type]
    assert ending is not None and (ending.verdict, ending.finished_at) == (None, None)
    proving = read_proof(Machine(SAME, proof_unit(TASK), active=active), TASK)  # type: ignore[arg-type]
    assert proving is not None and (proving.verdict, proving.finished_at) == (None, None)


def test_one_whose_unit_is_gone_has_ended() -> None:
    assert read_run(Machine(DONE, proof_unit(TASK)), TASK) == DONE  # type: ignore[arg-type]
    assert read_proof(Machine(SAME, run_unit(TASK)), TASK) == SAME  # type: ignore[arg-type]
    cut = read_run(Machine(REPORT), TASK)  # type: ignore[arg-type]
    assert cut is not None and (cut.verdict, cut.code) == ("failed", "interrupted")
