"""What a scan of files reports on a simulated machine."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from host.scan.duplicates import LEAST_BYTES
from host.scan.scanning import EMPTY
from host.scan.sums import Sums
from host.scan.values import Duplicate, Scanned
from host.simulated.datasets.file_tree import Tree, same_content
from host.simulated.runs import MeasuringRun
from host.simulated.state import FileState

LASTS_S = 30.0


def report(files: list[FileState], tree: Tree, run: MeasuringRun, passed_s: float, *, over: bool) -> Scanned:
    """So many seconds after its start, without what it is called and its times."""
    sums = Sums()
    share = min(1.0, passed_s / LASTS_S)
    for one in files[: round(len(files) * share)]:
        sums.add(tuple(part.encode() for part in one.path.split("/")), one.size, -(-one.size // 4096) * 4096)
    kinds = [one.kind for one in tree.below("")]
    return Scanned(
        run="", dataset="", snapshot="", started_at="", updated_at="", compares=run.compares,
        folders=kinds.count("folder"), others=len(kinds) - kinds.count("folder") - len(files),
        verdict=None if sums.files or not over else "empty", words="" if sums.files or not over else EMPTY,
        **sums.fields(), **(_duplicates(files) if run.compares and share == 1.0 else {}),
    )  # fmt: skip


def _duplicates(files: list[FileState]) -> dict[str, Any]:
    sizes: defaultdict[int, list[FileState]] = defaultdict(list)
    for one in files:
        if one.size >= LEAST_BYTES:
            sizes[one.size].append(one)
    found = []
    for size, alike in sizes.items():
        same = [one for one in alike if same_content(one, alike[0])]
        if len(same) > 1:
            paths = tuple(sorted(one.path for one in same))
            found.append(Duplicate(size_bytes=size, files=len(same), paths=paths))
    found.sort(key=lambda one: -one.size_bytes * (one.files - 1))
    return {
        "compared_bytes": sum(one.size for alike in sizes.values() if len(alike) > 1 for one in alike),
        "duplicates": tuple(found), "duplicate_files": sum(one.files - 1 for one in found),
        "duplicate_bytes": sum(one.size_bytes * (one.files - 1) for one in found),
    }  # fmt: skip
