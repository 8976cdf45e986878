"""What is to be done about a pool that is plugged in now and then. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Literal

import msgspec

Stage = Literal["away", "importing", "copying", "proving", "exporting", "done", "left"]
UNDER_WAY = {"importing", "copying", "proving", "exporting"}
_AGAIN = timedelta(minutes=10)  # after a job that failed
_MOST_AGAIN = 2  # times that what failed is run once more: the disk may have lost its cable for a moment


class Visit(msgspec.Struct, frozen=True, kw_only=True):
    """How far the present visit has come. `left`: a person has imported it, and looks after it alone.
    `runs` has the last run of each replication before it, by numbers: clocks may be set back; `again` counts
    how often failed ones were begun once more. `jobs` are
    the last ones of this stage. `said` is what became of them where one was refused, failed or has to wait;
    `blocked` whether that needs somebody's help."""

    stage: Stage = "away"
    runs: dict[str, int] = {}
    again: int = 0
    tried: datetime | None = None
    jobs: tuple[int, ...] = ()
    said: str = ""
    blocked: bool = False


class Copying(msgspec.Struct, frozen=True, kw_only=True):
    """A replication to it: whether a run is under way, and the number of the last one that has ended, and
    whether that failed; whether files are being compared, and whether that is due."""

    name: str
    running: bool
    last_run: int
    failed: bool = False
    proving: bool = False
    proof_due: bool = False


class Act(msgspec.Struct, frozen=True, kw_only=True):
    """What to do now, and what to remember. `run` and `prove` name replications."""

    visit: Visit
    job: Literal["import", "export"] | None = None
    run: tuple[str, ...] = ()
    prove: tuple[str, ...] = ()


def next_act(visit: Visit, *, plugged: bool, imported: bool, tasks: Sequence[Copying], now: datetime) -> Act:
    """`plugged`: its disk is here. Only what was away is taken for a visit: a pool that somebody exported by
    hand stays exported, and one that somebody imported by hand is theirs."""
    if not plugged and not imported:
        return Act(visit=Visit())
    match visit.stage:
        case "away" if imported:
            return Act(visit=Visit(stage="left"))
        case "away" if not tasks:
            return Act(visit=visit)
        case "away":
            runs = {task.name: task.last_run for task in tasks}
            return Act(visit=Visit(stage="importing", runs=runs, tried=now), job="import")
        case "importing" if imported:
            return Act(visit=msgspec.structs.replace(visit, stage="copying", tried=None))
        case "importing":
            return _again(visit, "import", now)
        case "copying" if not imported:
            return Act(visit=msgspec.structs.replace(visit, stage="left"))  # somebody exported it
        case "copying":
            return _copy(visit, tasks, now)
        case "proving" if not imported:
            return Act(visit=msgspec.structs.replace(visit, stage="left"))
        case "proving":
            return _prove(visit, tasks, now)
        case "exporting" if not imported:
            return Act(visit=msgspec.structs.replace(visit, stage="done"))
        case "exporting":
            return _again(visit, "export", now)
        case "done" if imported:
            return Act(visit=msgspec.structs.replace(visit, stage="left"))
        case _:
            return Act(visit=visit)


def _copy(visit: Visit, tasks: Sequence[Copying], now: datetime) -> Act:
    waiting = tuple(task.name for task in tasks if not task.running and not _since(task, visit))
    if waiting and not _lately(visit, now):
        return Act(visit=msgspec.structs.replace(visit, tried=now), run=waiting)
    if waiting or any(task.running for task in tasks):
        return Act(visit=visit)
    failed = {task.name: task.last_run for task in tasks if task.failed}
    if failed and visit.again < _MOST_AGAIN:
        runs = {**visit.runs, **failed}
        more = msgspec.structs.replace(visit, runs=runs, again=visit.again + 1, tried=now)
        return Act(visit=more, run=tuple(failed))
    return _prove(msgspec.structs.replace(visit, stage="proving", tried=now), tasks, now)


def _prove(visit: Visit, tasks: Sequence[Copying], now: datetime) -> Act:
    """While the disk is here, as nothing can be compared once it is gone. What cannot be begun in `_AGAIN`
    waits for the next visit."""
    due = tuple(task.name for task in tasks if task.proof_due)
    if due and (visit.tried is None or _lately(visit, now)):
        return Act(visit=msgspec.structs.replace(visit, tried=visit.tried or now), prove=due)
    if any(task.running or task.proving for task in tasks):
        return Act(visit=visit)
    return Act(visit=msgspec.structs.replace(visit, stage="exporting", tried=now), job="export")


def _since(task: Copying, visit: Visit) -> bool:
    return task.last_run > visit.runs.get(task.name, 0)


def _again(visit: Visit, job: Literal["import", "export"], now: datetime) -> Act:
    if _lately(visit, now):
        return Act(visit=visit)
    return Act(visit=msgspec.structs.replace(visit, tried=now), job=job)


def _lately(visit: Visit, now: datetime) -> bool:
    return visit.tried is not None and timedelta(0) <= now - visit.tried < _AGAIN
