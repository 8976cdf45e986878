"""Print what share of each package's lines the tests reached, from `coverage json`.

One line a package, and last the modules that were reached least: those are where a test is missing.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path
from typing import Any

_LEAST = 15


def report(files: dict[str, dict[str, Any]]) -> list[str]:
    """The lines to print for `files`, which are the report's by their path."""
    reached: Counter[str] = Counter()
    lines: Counter[str] = Counter()
    for path, found in files.items():
        for name in (path.split("/")[0], "all"):
            reached[name] += found["summary"]["covered_lines"]
            lines[name] += found["summary"]["num_statements"]
    rows = [
        f"{name:10} {100 * reached[name] / lines[name]:6.1f} %  {reached[name]:6} of {lines[name]:6} lines"
        for name in (*sorted(lines.keys() - {"all"}), "all")
    ]
    some = [path for path, found in files.items() if found["summary"]["num_statements"]]
    least = sorted(some, key=lambda path: files[path]["summary"]["percent_covered"])[:_LEAST]
    return [*rows, "", *(f"{files[path]['summary']['percent_covered']:6.1f} %  {path}" for path in least)]


if __name__ == "__main__":
    print("\n".join(report(json.loads(Path(sys.argv[1]).read_text())["files"])))
