"""`python -m tests.lab.drills [FILE …]`: all drills, each in a process of its own, going on where it stopped.

What came of each is kept in `build/drills.json`: its commit, its result and how long it took. What was green
is in `tests/drills.json` too, which is committed: another machine goes on from there. A drill that
was green is not run again while nothing that it could prove has changed since (`proves`), or, with
`--since COMMIT`, if it was green at that commit or a later one. Two run side by side where memory allows;
those that measure seconds (`pytest.mark.measures`) have the machine to themselves.
"""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
import threading
import time
import xml.etree.ElementTree as ET
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from tests.imports import ROOT
from tests.lab.proves import proves

REPORT = ROOT / "build" / "drills.json"
GREEN = ROOT / "tests" / "drills.json"
LOGS = ROOT / "build" / "drills"
_TWO_MACHINES_BYTES = 12 << 30


class Outcome(msgspec.Struct, kw_only=True):
    """What came of one drill when it was run last; `changed` where files differed from the commit."""

    commit: str
    changed: bool
    passed: int
    failed: int
    seconds: int
    ended_at: str

    @property
    def green(self) -> bool:
        """All of its tests ran and passed."""
        return self.passed > 0 and not self.failed


class Report:
    """Outcomes by the name of the drill's file: what happened here, and what was green anywhere (`green`).

    Both files are replaced whole with each drill that ends, and read again before: runs side by side in one
    tree lose nothing of each other.
    """

    def __init__(self, path: Path = REPORT, green: Path = GREEN) -> None:
        self._path, self._green_path = path, green
        self._lock = threading.Lock()
        self._green = _outcomes(green)
        self._here = _outcomes(path)

    @property
    def outcomes(self) -> dict[str, Outcome]:
        """What came of each drill when it was run last, wherever that was."""
        return self._green | {
            drill: here
            for drill, here in self._here.items()
            if drill not in self._green or here.ended_at >= self._green[drill].ended_at
        }

    def keep(self, drill: str, outcome: Outcome) -> None:
        """Write down what came of `drill`."""
        with self._lock:
            self._here = _outcomes(self._path) | {drill: outcome}
            _write(self._path, self._here)
            if outcome.green and not outcome.changed:
                self._green = _outcomes(self._green_path) | {drill: outcome}
                _write(self._green_path, self._green)

    def lines(self, drills: Iterable[str]) -> list[str]:
        """A table: which drill was green or not, at which commit, when, and how long it took."""
        rows = []
        for drill in drills:
            if (found := self.outcomes.get(drill)) is None:
                rows.append(f"never run  {drill}")
                continue
            word = "green" if found.green else "RED"
            commit = found.commit[:9] + ("+" if found.changed else "")
            counts = f"{found.passed} passed, {found.failed} failed"
            minutes = f"{found.seconds // 60}:{found.seconds % 60:02}"
            rows.append(f"{word:9}  {drill:28} {commit:10} {found.ended_at}  {minutes:>7}  {counts}")
        return rows


def _outcomes(path: Path) -> dict[str, Outcome]:
    text = path.read_bytes() if path.exists() else b"{}"
    return msgspec.json.decode(text, type=dict[str, Outcome])


def _write(path: Path, outcomes: dict[str, Outcome]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_suffix(".partial")
    new.write_bytes(msgspec.json.format(msgspec.json.encode(outcomes, order="sorted"), indent=1) + b"\n")
    new.replace(path)


class Runner:
    """Runs drills until all have ended, or until it is interrupted."""

    def __init__(self, report: Report) -> None:
        self._report = report
        self._running: set[subprocess.Popen[bytes]] = set()
        self._stopped = threading.Event()
        self._commit = git("rev-parse", "HEAD")

    def run_all(self, drills: list[str], *, side_by_side: int) -> None:
        """Those that measure come last, one after the other."""
        alone = [drill for drill in drills if measures(drill)]
        queue = [drill for drill in drills if drill not in alone]
        lock = threading.Lock()

        def work() -> None:
            while not self._stopped.is_set():
                with lock:
                    if not queue:
                        return
                    drill = queue.pop(0)
                self.run(drill)

        threads = [threading.Thread(target=work) for _ in range(side_by_side)]
        for thread in threads:
            thread.start()
        for thread in threads:
            while thread.is_alive():  # a signal is heard only between short waits
                thread.join(0.5)
        for drill in alone:
            if not self._stopped.is_set():
                self.run(drill)

    def run(self, drill: str) -> None:
        """One drill; what was interrupted is written down nowhere."""
        LOGS.mkdir(parents=True, exist_ok=True)
        junit, log = LOGS / f"{drill}.xml", LOGS / f"{drill}.log"
        junit.unlink(missing_ok=True)
        argv = [sys.executable, "-m", "pytest", f"tests/lab/{drill}.py", "-q", "-m", "lab", "-p", "no:xdist",
                "--randomly-dont-reorganize", f"--junitxml={junit}", "--durations=5"]  # fmt: skip
        print(f"{datetime.now(UTC):%H:%M:%S} {drill} begins; its output is in {log}", flush=True)
        started, changed = time.monotonic(), differs(drill)
        with log.open("wb") as output:
            process = subprocess.Popen(
                argv, cwd=ROOT, env=os.environ | {"PYTHONUNBUFFERED": "1"},
                stdout=output, stderr=output, start_new_session=True,
            )  # fmt: skip
            self._running.add(process)
            process.wait()
            self._running.discard(process)
        if self._stopped.is_set():
            return
        passed, failed = counts_of(junit)
        outcome = Outcome(
            commit=self._commit, changed=changed, passed=passed,
            failed=failed or int(process.returncode != 0), seconds=round(time.monotonic() - started),
            ended_at=f"{datetime.now(UTC):%Y-%m-%d %H:%M}",
        )  # fmt: skip
        self._report.keep(drill, outcome)
        print(f"{datetime.now(UTC):%H:%M:%S} {self._report.lines([drill])[0]}", flush=True)

    def stop(self) -> None:
        """Interrupt what runs: pytest tidies up, so that no machine is left."""
        self._stopped.set()
        for process in tuple(self._running):
            process.send_signal(signal.SIGINT)


def counts_of(junit: Path) -> tuple[int, int]:
    """How many tests passed and did not, by the XML that pytest wrote; none of either without it."""
    if not junit.exists():
        return 0, 0
    suites = list(ET.parse(junit).getroot().iter("testsuite"))
    total, bad = (sum(int(suite.get(name, 0)) for suite in suites) for name in ("tests", "failures"))
    bad += sum(int(suite.get("errors", 0)) + int(suite.get("skipped", 0)) for suite in suites)
    return max(0, total - bad), bad


def all_drills() -> list[str]:
    """By the names of their files; the contract suite is `make lab-test`'s."""
    return sorted(
        path.stem for path in Path(__file__).parent.glob("test_*.py") if path.stem != "test_contract"
    )


def measures(drill: str) -> bool:
    """Whether it measures seconds, and so wants the machine for itself."""
    return "mark.measures" in (Path(__file__).parent / f"{drill}.py").read_text()


def differs(drill: str) -> bool:
    """Whether what it could prove is not all committed."""
    return bool(git("status", "--porcelain", "--", *proves(drill)))


def is_proven(drill: str, outcome: Outcome | None, since: str | None) -> bool:
    """Whether it was green, at or after `since`, or with nothing changed since that it could prove."""
    if outcome is None or not outcome.green:
        return False
    if since is not None and succeeds("merge-base", "--is-ancestor", since, outcome.commit):
        return True
    if outcome.changed or differs(drill):
        return False
    return succeeds("diff", "--quiet", outcome.commit, "--", *proves(drill))


def git(*words: str) -> str:
    """What git says; empty where it fails."""
    done = subprocess.run(("git", *words), cwd=ROOT, capture_output=True, text=True, check=False)
    return done.stdout.strip()


def succeeds(*words: str) -> bool:
    """Whether git ends well."""
    return not subprocess.run(("git", *words), cwd=ROOT, capture_output=True, check=False).returncode


def memory_bytes() -> int:
    """What could be used without swapping (MemAvailable)."""
    lines = Path("/proc/meminfo").read_text().splitlines()
    return next(int(line.split()[1]) << 10 for line in lines if line.startswith("MemAvailable:"))


def main() -> int:
    """0 where every drill that was asked for is green."""
    parser = argparse.ArgumentParser(prog="python -m tests.lab.drills", description=__doc__)
    parser.add_argument("drills", nargs="*", metavar="FILE", help="tests/lab/test_keys.py, or test_keys")
    parser.add_argument("--since", metavar="COMMIT", help="what was green at it or later is not run again")
    parser.add_argument("--again", action="store_true", help="run what is green, too")
    parser.add_argument("--report", action="store_true", help="only say what was green at which commit")
    arguments = parser.parse_args()
    known = all_drills()
    drills = [Path(name).stem for name in arguments.drills] or known
    if unknown := sorted(set(drills) - set(known)):
        parser.error(f"no such drills: {', '.join(unknown)}")
    report = Report()
    if not arguments.report:
        # Else what is proven would be the release of whenever `make release` was called last.
        subprocess.run([ROOT / "scripts" / "release.sh", ROOT / "build" / "release"], check=True)
        runner = Runner(report)
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda *_: runner.stop())
        proven = (
            set()
            if arguments.again
            else {name for name in drills if is_proven(name, report.outcomes.get(name), arguments.since)}
        )
        wanted = [name for name in drills if name not in proven]
        side_by_side = 2 if memory_bytes() >= _TWO_MACHINES_BYTES and (os.cpu_count() or 1) > 1 else 1
        runner.run_all(wanted, side_by_side=side_by_side)
    print("\n".join(report.lines(drills)))
    outcomes = [report.outcomes.get(drill) for drill in drills]
    return int(not all(outcome and outcome.green for outcome in outcomes))


if __name__ == "__main__":
    raise SystemExit(main())
