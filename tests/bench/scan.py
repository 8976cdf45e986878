"""A dataset of a million small files: what a scan of them and a sample for compression take, real files.

The files are holes alone, so that they need no space: neither opens what it only counts.
"""

from __future__ import annotations

import os
import random
import resource
import tempfile
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path

from host.compression.sampling import Sample, files_below
from host.files.opening import Root
from host.measuring.pausing import Pausing
from host.scan.scanning import Scan, begun
from tests.bench.timing import show
from tests.host.asking import Asked
from tests.host.files.bench import root_at
from tests.host.reports import Kept

FOLDERS, FILES = 1000, 1000
_BLOCKS = 2000  # about as many as compression samples


def measure() -> None:
    """Make the files, count them, and sample them."""
    with tempfile.TemporaryDirectory() as folder:
        for number in range(FOLDERS):
            _fill(Path(folder) / f"folder {number}", number)
        with root_at(Path(folder)) as root:
            _measure("a scan of a million files", lambda: _scan(root))
            _measure("a sample of a million files", lambda: _sample(root))


def _fill(folder: Path, number: int) -> None:
    folder.mkdir()
    at = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    for file in range(FILES):
        made = os.open(f"photo {file}.jpg", os.O_CREAT | os.O_WRONLY, dir_fd=at)
        os.ftruncate(made, 1 + (number * FILES + file) % 65_536)
        os.close(made)
    os.close(at)


def _measure(what: str, work: Callable[[], int]) -> None:
    """Its time, and in a second pass the most memory that Python took for it."""
    started = time.perf_counter()
    found = work()
    show(what, time.perf_counter() - started, aim=60, unit="s", how=f"{found} files in {FOLDERS} folders")
    tracemalloc.start()
    work()
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    whole = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
    show("memory for it", most / (1 << 20), aim=64, unit="MiB", how=f"the whole process {whole} MiB at most")


def _scan(root: Root) -> int:
    report = Kept(begun("2026-11-01T10:00:00+00:00", run="0" * 16, dataset="tank", snapshot="s"))
    pausing = Pausing(report, clock=time.monotonic, stop=Asked(), busy=lambda: False)
    Scan(root, report, pausing).carry_out()
    assert (report.content.verdict, report.content.whole) == ("done", True), report.content
    return report.content.files


def _sample(root: Root) -> int:
    chance, seen = random.Random(1), 0
    sample = Sample(_BLOCKS, chance)
    for file in files_below(root, chance, lambda _: False, unreadable=lambda: None):
        seen += 1
        sample.offer(file, 0, 1)
    assert len(sample.blocks) == _BLOCKS
    return seen


if __name__ == "__main__":
    measure()
