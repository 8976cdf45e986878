"""A check: the structure of a repository, and a part of its data read back and compared.

The parts take turns: at 5 % each, twenty checks have read everything once.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from host.programs.backup.restic import Ended, Restic, number
from host.programs.backup.run_report import BackupReport

_MOST_PARTS = 256  # restic cuts by the first byte of a pack's name


def part(turn: int, percent: int) -> str:
    """Which part is read at that turn: `3/20`."""
    parts = max(1, min(_MOST_PARTS, round(100 / percent)))
    return f"{turn % parts + 1}/{parts}"


def check(restic: Restic, report: BackupReport, turns: Path, percent: int) -> None:
    """Raises `RepositoryProblem`, `OSError`."""
    restic.check(restic.run("unlock"))
    turn = 0
    with suppress(OSError, ValueError):
        turn = int(turns.read_text())
    read = part(turn, percent)
    report.note(phase=f"Reading part {read.replace('/', ' of ')} of the data")
    subset = f"--read-data-subset={read}"
    ended = restic.run("check", subset)
    if _is_doubtful(ended) and not restic.asked():
        restic.check(restic.run("cat", "config"))
        ended = restic.run("check", subset)
        if _is_doubtful(ended):
            restic.check(restic.run("cat", "config"))
    faults = number(ended.summary, "num_errors")
    if faults and not restic.asked():
        count = "1 error" if faults == 1 else f"{faults} errors"
        report.end(
            "failed",
            f"The repository is damaged: the check found {count}. Some of what is stored may be lost. Check "
            "the disk or server that it is on, make a new repository elsewhere, and back up to that.",
            "damaged",
        )
        return
    restic.check(ended)
    turns.write_text(str(turn + 1))
    report.end(
        "good", f"The structure is sound, and part {read.replace('/', ' of ')} of the data was read back."
    )


def _is_doubtful(ended: Ended) -> bool:
    """Whether something failed and no pack of data was found broken: what could not be fetched, as when the
    server is restarted, counts among the errors, too."""
    return number(ended.summary, "num_errors") > 0 and not ended.summary.get("broken_packs")
