"""`make quick`: what a change touches, in seconds: ruff, mypy's daemon, the tests that name what was changed.

A test belongs to a changed module when it imports it, by whatever names, or when it is called after it. Tests
that reach it only through what puts everything together (`nasweb.operations` and the like) are left to
`make test`: by those every module leads to every test. BASE=main takes all that has changed since main.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.imports import ROOT, imported

BIN = ROOT / ".venv" / "bin"


def main() -> int:
    """0 where nothing is wrong."""
    changed = sorted(changed_files(os.environ.get("BASE", "HEAD")))
    sources = [path for path in changed if path.endswith(".py")]
    if not sources:
        print("No Python file was changed.")
        return 0
    tests, others = affected(sources)
    print(
        f"{len(sources)} changed files, {len(tests)} files of tests; {others} more are left to make test",
        flush=True,
    )
    python = str(BIN / "python")
    runs = {
        "ruff": [str(BIN / "ruff"), "check", "--quiet", *sources],
        "format": [str(BIN / "ruff"), "format", "--check", "--quiet", *sources],
        "mypy": [str(BIN / "dmypy"), "--status-file", ".mypy_cache/daemon.json", "run", "--timeout", "3600"],
    }
    if tests:
        runs["tests"] = [python, "-m", "pytest", "--quiet", "-p", "no:xdist", "-m", "not browser", *tests]
    begun = {
        name: subprocess.Popen(argv, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        for name, argv in runs.items()
    }
    return max(finish(name, process) for name, process in begun.items())


def finish(name: str, process: subprocess.Popen[str]) -> int:
    """1 for a run that found something, which is printed."""
    said, _ = process.communicate()
    good = process.returncode == 0 or (name == "tests" and process.returncode == 5)  # 5: none was selected
    print(f"{name:8}{'ok' if good else 'FAILED'}", flush=True)
    if name == "tests" or not good:
        print(said.rstrip(), flush=True)
    return int(not good)


def changed_files(base: str) -> set[str]:
    """What differs from `base` in the work tree, and is still there; new files too."""
    words = (("diff", "--name-only", base), ("ls-files", "--others", "--exclude-standard"))
    listed = (
        subprocess.run(("git", *each), cwd=ROOT, capture_output=True, text=True, check=True) for each in words
    )
    return {line for done in listed for line in done.stdout.splitlines() if (ROOT / line).exists()}


def affected(sources: list[str]) -> tuple[list[str], int]:
    """The files of tests that name one of `sources`, and how many do not."""
    modules = {module_name(Path(path)) for path in sources}
    stems = {Path(path).stem for path in sources}
    found, others = [], 0
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        name = path.relative_to(ROOT).as_posix()
        if name.startswith(("tests/lab/", "tests/compose/")):
            continue
        if name in sources or path.stem.removeprefix("test_") in stems or modules & imported(path):
            found.append(name)
        else:
            others += 1
    return found, others


def module_name(path: Path) -> str:
    """`pools/files/restore.py` → `pools.files.restore`."""
    parts = path.with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


if __name__ == "__main__":
    sys.exit(main())
