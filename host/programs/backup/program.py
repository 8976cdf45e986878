"""Reads what is asked for, and ends well or with why not."""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import msgspec

from host import local
from host.base import Host, HostError
from host.files import opening
from host.files.copying import words_of
from host.files.names import BadPath
from host.files.opening import Unreachable
from host.local import LocalHost
from host.programs.backup import asking, checking, restoring, saving
from host.programs.backup.reaching import Folders, knock, reached
from host.programs.backup.restic import WRONG_PASSWORD, Restic
from host.programs.backup.run_report import BackupReport
from host.programs.signals import Stop, ready
from host.repositories.answers import Action, Answer, RepositoryFault
from host.repositories.places import REPORTS
from host.repositories.settings import RestServer
from host.repositories.words import RepositoryProblem
from host.system import mounts

REFUSED = 3
_ASKED_WITHIN_S = 60.0
_MADE_WITHIN_S = 105.0  # making and opening one asks its server again and again
_RUNS: dict[str, Action] = {"backup": "backup", "check": "check", "restore": "restore"}
_STOPPED = "It was stopped. What it had stored until then is not lost: the next run goes on from there."


def main(arguments: list[str] | None = None) -> int:
    """The exit status."""
    asked = _parser().parse_args(arguments)
    if asked.action != "server-keys":
        mounts.leave_alone()
    if asked.action in _RUNS:
        return _run(asked, LocalHost(), Folders(), asked.reports)
    try:
        sys.stdout.write(f"{msgspec.json.encode(_answer(asked, Folders())).decode()}\n")
    except RepositoryProblem as error:
        if asked.action in {"init", "open"}:
            sys.stderr.write(f"{error}\n")
            return REFUSED
        fault = RepositoryFault(code=error.code, message=str(error))
        sys.stdout.write(f"{msgspec.json.encode(fault).decode()}\n")
    except OSError as error:
        sys.stderr.write(f"{words_of(error)}\n")
        return REFUSED
    return 0


def _answer(asked: argparse.Namespace, folders: Folders) -> Answer | dict[str, str]:
    """Raises `RepositoryProblem`, `OSError`."""
    if asked.action == "server-keys":
        knock(RestServer(host=asked.host, port=asked.port))
        return asking.server_keys(asked.host, asked.port, local.follow)
    within_s = _MADE_WITHIN_S if asked.action in {"init", "open"} else _ASKED_WITHIN_S
    until = time.monotonic() + within_s
    with reached(asked.repository, folders, make=asked.action == "init") as there:
        restic = Restic(there, lambda: time.monotonic() > until)
        match asked.action:
            case "snapshots":
                return asking.snapshots(restic)
            case "folder":
                try:
                    return asking.folder(restic, asked.stored, asked.path)
                except BadPath as error:
                    raise RepositoryProblem("not-found", str(error)) from None
            case "init":
                made = restic.run("init")
                if made.exit:
                    _refuse_second(restic)
                restic.check(made)
            case _:
                restic.check(restic.run("cat", "config"))
    return {"done": asked.action}


def _refuse_second(restic: Restic) -> None:
    """restic has refused, in words that name no way out. Raises `RepositoryProblem`.

    It is not asked before: a bucket that is not there yet, which it makes, it would look for without end.
    """
    if restic.run("cat", "config").exit in {0, WRONG_PASSWORD}:
        raise RepositoryProblem(
            "exists",
            f"There is a repository at {restic.to.place} already, and it stays as it is. Import it, or "
            "choose another folder or path.",
        )


def _run(asked: argparse.Namespace, host: Host, folders: Folders, reports: Path) -> int:
    stop = Stop()
    report = BackupReport(reports, run=asked.run, action=_RUNS[asked.action], clock=time.monotonic)
    ready()
    act: Callable[[Restic], None]
    wanted: saving.Wanted | None = None
    if asked.action == "backup":
        wanted = _wanted(asked, reports)
        act = partial(_save, wanted, report, host, folders)
    elif asked.action == "check":
        turns = reports / f"{asked.repository}.turn"
        act = lambda restic: checking.check(restic, report, turns, asked.percent)  # noqa: E731
    else:
        act = partial(_restore, asked, report, folders)
    try:
        with reached(asked.repository, folders) as there:
            act(Restic(there, stop.asked))
    except RepositoryProblem as error:
        if stop.asked():
            report.end("stopped", _STOPPED, "stopped")
        else:
            report.end("failed", str(error), error.code)
    except (Unreachable, BadPath, HostError) as error:
        report.end("failed", str(error), "other")
    except OSError as error:
        report.end("failed", words_of(error), "other")
    finally:
        if wanted is not None:
            saving.clean_up(host, wanted)
    return 0


def _wanted(asked: argparse.Namespace, reports: Path) -> saving.Wanted:
    periods = ("last", "daily", "weekly", "monthly", "yearly")
    keep = tuple(f"--keep-{one}={number}" for one in periods if (number := getattr(asked, f"keep_{one}")))
    return saving.Wanted(
        asked.backup, asked.host, tuple(asked.snapshot), tuple(asked.exclude), keep,
        reports / f"{asked.repository}.pruned",
    )  # fmt: skip


def _save(wanted: saving.Wanted, report: BackupReport, host: Host, folders: Folders, restic: Restic) -> None:
    mounted = partial(saving.mounted_below, folders.workshop)
    exclusions = folders.workshop / f"{report.content.run}-exclusions"
    made = saving.times(host, wanted.snapshots)
    saving.Saving(wanted, restic, report, mounted=mounted).carry_out(made, exclusions)


def _restore(asked: argparse.Namespace, report: BackupReport, folders: Folders, restic: Restic) -> None:
    wanted = restoring.WantedRestore(asked.stored, asked.path, asked.folder, asked.name)
    at = folders.workshop / "live"
    with opening.dataset_root(asked.dataset, None) as seen:
        # To write to, which all else in this unit is not.
        mounts.show_at(seen.descriptor, at)
        descriptor = os.open(at, os.O_RDONLY | os.O_DIRECTORY)
        try:
            live = opening.Root(descriptor, seen.device)
            restoring.restore(restic, report, live, wanted, folders.workshop / "restored")
        finally:
            os.close(descriptor)
            mounts.unmount(at)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m host.programs.backup")
    parser.add_argument("action", choices=(*_RUNS, "init", "open", "snapshots", "folder", "server-keys"))
    for name in ("run", "repository", "backup", "host", "stored", "dataset", "name"):
        parser.add_argument(f"--{name}", default="")
    parser.add_argument("--path", default="", help="in the snapshot")
    parser.add_argument("--folder", default="", help="of the dataset, into which it is put")
    parser.add_argument("--port", type=int, default=22)
    parser.add_argument("--percent", type=int, default=5, help="of the data, to be read back")
    parser.add_argument("--snapshot", action="append", default=[], help="of ZFS, to be stored")
    parser.add_argument("--exclude", action="append", default=[])
    for period in ("last", "daily", "weekly", "monthly", "yearly"):
        parser.add_argument(f"--keep-{period}", type=int, default=0)
    parser.add_argument("--reports", type=Path, default=Path(REPORTS))
    return parser
