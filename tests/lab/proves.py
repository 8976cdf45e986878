"""What a drill runs on: one that was green stays so while only other things change."""

from __future__ import annotations

from tests.imports import ROOT, imported

# All of what is installed but the pages: drills speak to the API. That pages are served at all is what the
# main drill asks, which runs on each change.
INSTALLED = (
    "host", "jobs", "pools", "disks", "shares", "replication", "backups", "machine", "accounts", "alerts",
    "nasweb", "ansible", "uv.lock", "scripts/release.sh",
)  # fmt: skip
# What no drill imports: it is sent to the machine, or found by pytest.
_NOT_IMPORTED = ("conftest.py", "finish.sh", "later_kernel.sh", "hold_process.py")


def proves(drill: str) -> tuple[str, ...]:
    """Paths below the project: what is installed, the drill itself, and what of the tests it imports."""
    return *INSTALLED, *sorted(_with_imported(f"{drill}.py", *_NOT_IMPORTED))


def _with_imported(*names: str) -> set[str]:
    """These files of the lab, and those of the tests that they import, one through the other."""
    found: set[str] = set()
    left = [f"tests/lab/{name}" for name in names]
    while left:
        if (path := left.pop()) in found:
            continue
        found.add(path)
        if path.endswith(".py"):
            left += [file for name in imported(ROOT / path) if (file := _file(name)) is not None]
    return found


def _file(name: str) -> str | None:
    """`tests.lab.disks` → `tests/lab/disks.py`; none of a name that is no module of the tests."""
    path = f"{name.replace('.', '/')}.py"
    return path if name.startswith("tests.") and (ROOT / path).is_file() else None
