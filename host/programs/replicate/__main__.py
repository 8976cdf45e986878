"""Replicates datasets: what a run would send (`plan`), the run itself, a proof of what it made (`prove`),
the end of a broken stream (`drop`), and that of a task (`forget`).

Runs and proofs say READY=1 at once, since another machine may take minutes to answer: their reports show what
became of them. Of the others, who are waited for, to end with 3 is to refuse, and why is one line on stderr.
"""

from __future__ import annotations

import argparse
import math
import os
import random
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory, mkdtemp

import msgspec

from host import typed
from host.base import HostError
from host.commands.base import Command
from host.commands.replication.over import Over
from host.commands.replication.runs import REPORTS
from host.commands.replication.streams import ForgetPartial, ReceiveStream, SendRest, SendStream
from host.commands.replication.task import Task, within
from host.local import LocalHost
from host.pipeline import Carried, carry
from host.programs.replicate.frozen import frozen
from host.programs.replicate.progress import Progress, begin_report
from host.programs.replicate.prove import Proving
from host.programs.replicate.reading import Files, Here, There, Whole
from host.programs.replicate.run import Broken, Run, Stopped, forget
from host.programs.replicate.side import Side
from host.programs.report import Report
from host.programs.signals import Stop, ready
from host.replication.proof import BY_GUID_ALONE, Proof
from host.replication.values import Replicated
from host.system.mounts import leave_alone

REFUSED = 3
_PROOF_S = 4 * 3600.0  # however slowly another machine answers
_tasks = msgspec.json.Decoder(Task)
_reports = msgspec.json.Decoder(Replicated)


def plan(task: Task, source: Side, target: Side) -> int:
    """Say as JSON what a run would do; a run that could not begin is said so too."""
    progress = Progress(task.id, time.monotonic, None)
    try:
        Run(task, source, target, progress).plan()
    except Broken as error:
        broken = msgspec.structs.replace(
            progress.content, verdict="failed", words=str(error), code=error.code
        )
        sys.stdout.write(msgspec.json.encode(broken).decode())
        return 0
    sys.stdout.write(msgspec.json.encode(progress.content).decode())
    return 0


def run(task: Task, source: Side, target: Side, reports: Path, stop: Stop) -> int:
    """Carry it out, to the verdict in its report."""
    progress = Progress(task.id, time.monotonic, begin_report(reports, task.id, time.monotonic))

    def carrying(stream: SendStream | SendRest, receive: ReceiveStream) -> Carried:
        return carry(
            source.argv(stream), target.argv(receive), stop=stop, passed=progress.passed,
            rate=lambda: task.rate_at(_minute(time.localtime())),
        )  # fmt: skip

    ready()
    try:
        progress.end(Run(task, source, target, progress, carrying).carry_out())
    except Stopped:
        progress.end("stopped")
    except Broken as error:
        progress.end("failed", str(error), error.code)
    except HostError as error:
        progress.end("failed", str(error))
    return 0


def finish(task: Task, source: Side, target: Side, reports: Path, stop: Stop) -> int:
    """The same for somebody who waits: what did not arrive is an error."""
    run(task, source, target, reports, stop)
    last = typed.decode_by(_reports, (reports / f"{task.id}.json").read_bytes())
    if last.verdict == "done":
        return 0
    said = last.words or next((one.said or one.code for one in last.datasets if one.said or one.code), "")
    sys.stderr.write(f"Not all of it arrived. {said}\n")
    return REFUSED


def prove(task: Task, source: Side, target: Side, reports: Path, stop: Stop) -> int:
    """Compare a sample of files, or of blocks written anew all, to the verdict in its report."""

    def begun(moment: str) -> Proof:
        return Proof(task=task.id, started_at=moment, updated_at=moment)

    report = Report(reports / f"{task.id}.proof.json", begun, clock=time.monotonic)
    ready()
    if task.connection is not None and task.connection.kind == "ssh":
        report.close("failed", BY_GUID_ALONE)
        return 0
    leave_alone()
    until = math.inf if task.anew else time.monotonic() + _PROOF_S
    with TemporaryDirectory(prefix="nasweb-proof-") as folder:

        @contextmanager
        def opened(side: Side, snapshot: str) -> Iterator[Files]:
            if side.elsewhere:
                yield There(side, snapshot)
                return
            with frozen(snapshot, Path(mkdtemp(dir=folder))) as descriptor:
                yield Whole(descriptor, stop.asked) if task.anew else Here(descriptor)

        Proving(
            task, source, target, report, opened=opened, asked_to_stop=stop.asked,
            chance=random.SystemRandom(), in_time=lambda: time.monotonic() < until,
        ).carry_out()  # fmt: skip
    return 0


def _minute(now: time.struct_time) -> int:
    return now.tm_hour * 60 + now.tm_min


def main(arguments: list[str] | None = None) -> int:
    """The exit status."""
    parser = argparse.ArgumentParser(prog="python -m host.programs.replicate", description=__doc__)
    parser.add_argument("action", choices=("plan", "run", "finish", "prove", "forget", "forget-here", "drop"))
    parser.add_argument("--task", required=True, help="as JSON")
    parser.add_argument("--replica", help="whose broken stream is dropped")
    parser.add_argument("--reports", type=Path, default=Path(REPORTS), help="the folder of reports")
    asked = parser.parse_args(arguments)
    try:
        task = typed.decode_by(_tasks, asked.task.encode())
    except msgspec.DecodeError as error:
        sys.stderr.write(f"This is no task: {error}\n")
        return REFUSED
    source, target = sides(task)
    if asked.action == "run":
        return run(task, source, target, asked.reports, Stop())
    if asked.action == "finish":
        return finish(task, source, target, asked.reports, Stop())
    if asked.action == "prove":
        return prove(task, source, target, asked.reports, Stop())
    try:
        return _waited_for(asked, task, source, target)
    except (Broken, HostError) as error:
        sys.stderr.write(f"{error}\n")
        return REFUSED


def _waited_for(asked: argparse.Namespace, task: Task, source: Side, target: Side) -> int:
    if asked.action == "plan":
        return plan(task, source, target)
    if asked.action in {"forget", "forget-here"}:
        forget(task, source, target, here_only=asked.action == "forget-here")
        return 0
    if asked.replica is None or not within(asked.replica, task.target):
        sys.stderr.write("This is no replica of the task.\n")
        return REFUSED
    target.run(ForgetPartial(name=asked.replica))
    return 0


def sides(task: Task, environment: Mapping[str, str] = os.environ) -> tuple[Side, Side]:
    """The source's and the target's. All that is asked of another machine shares one connection."""
    host, connection = LocalHost(), task.connection
    here = Side(host)
    if connection is None:
        return here, here
    folder = environment.get("RUNTIME_DIRECTORY")
    socket = None if folder is None else f"{folder}/ssh"

    def over(command: Command) -> Command:
        return Over(connection=connection.id, kind=connection.kind, command=command, socket=socket)

    there = Side(host, over)
    return (there, here) if task.pull else (here, there)


if __name__ == "__main__":
    raise SystemExit(main())
