"""Print what share of each package's lines and branches the tests reached, from `coverage json`.

One line a package, and last the modules that were reached least: those are where a test is missing.
"""

from __future__ import annotations

import json
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any

_LEAST = 15
_FIELDS = ("covered_lines", "num_statements", "covered_branches", "num_branches")


def share(counts: dict[str, int]) -> float:
    """Percent of the lines and branches together, as coverage itself counts them."""
    reached = counts["covered_lines"] + counts["covered_branches"]
    return 100 * reached / max(1, counts["num_statements"] + counts["num_branches"])


def report(files: dict[str, dict[str, Any]]) -> list[str]:
    """The lines to print for `files`, which are the report's by their path."""
    packages: dict[str, dict[str, int]] = defaultdict(lambda: dict.fromkeys(_FIELDS, 0))
    for path, found in files.items():
        for name in (path.split("/")[0], "all"):
            for field in _FIELDS:
                packages[name][field] += found["summary"][field]
    rows = [
        f"{name:10} {share(of):6.1f} %  {of['covered_lines']:6} of {of['num_statements']:6} lines  "
        f"{of['covered_branches']:5} of {of['num_branches']:5} branches"
        for name, of in sorted(packages.items(), key=lambda item: (item[0] == "all", item[0]))
    ]
    some = [path for path in files if files[path]["summary"]["num_statements"]]
    least = sorted(some, key=lambda path: share(files[path]["summary"]))[:_LEAST]
    return [*rows, "", *(f"{share(files[path]['summary']):6.1f} %  {path}" for path in least)]


if __name__ == "__main__":
    print("\n".join(report(json.loads(Path(sys.argv[1]).read_text())["files"])))
