"""The reports below /run, which the console reads (`host.probe.system.moved`), and what the screen says."""

from __future__ import annotations

from host.base import CommandFailed, CommandTimedOut
from host.inventory.moved import NotThere
from host.programs.moved_state.context import Context


def report_pool(run: Context) -> None:
    """The state is the pool's."""
    _put(run, "pool", "", "")


def report_here(run: Context, reason: NotThere, said: str = "") -> None:
    """The state is the own disk's: why, and the words of what failed."""
    _put(run, "here", reason, said)
    run.say(f"/var is the one of the system's own disk: {reason} {said}")


def report_not_returned(run: Context, said: str) -> None:
    """The way back has failed."""
    run.disk.make_folder(run.places.not_returned.parent)
    run.disk.write(run.places.not_returned, f"said={said}\n".encode())
    run.say(f"/var stays on the pool: {said}")


def last_words(error: Exception) -> str:
    """The last line of what failed: programs say there why they ended."""
    match error:
        case CommandTimedOut(command=command):
            return f"{command.argv()[0]} took longer than {command.timeout_s:.0f} s and was stopped."
        case CommandFailed(result=result):
            text = result.stderr.rstrip("\n") or result.stdout.rstrip("\n")
        case OSError(filename=str(name), strerror=str(words)):
            text = f"{name}: {words}"
        case _:
            text = str(error)
    return text.rpartition("\n")[2]


def _put(run: Context, place: str, reason: str, said: str) -> None:
    report = run.places.report
    run.disk.make_folder(report.parent)
    new = report.with_name(f"{report.name}.new")
    run.disk.write(new, f"from={place}\nwhy={reason}\nsaid={said}\n".encode())
    run.disk.rename(new, report)
