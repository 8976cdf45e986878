"""Keeps the shape of the code: one direction of imports, one module that starts processes, small modules."""

from __future__ import annotations

import ast
from collections import Counter
from functools import cache
from pathlib import Path
from statistics import median

import pytest

from tests.imports import ROOT, imported, tree

ROOMS = (
    "host", "jobs", "pools", "disks", "shares", "replication", "backups", "machine", "accounts", "alerts",
    "frontend", "nasweb",
)  # fmt: skip
# Who may import whom, besides itself. nasweb composes, and so may import all; what is reached from below
# (accounts by frontend) is named.
MAY_IMPORT: dict[str, set[str]] = {
    "host": set(),
    "jobs": {"host"},
    "pools": {"host", "jobs"},
    "disks": {"host", "jobs"},
    "shares": {"host", "jobs"},
    "replication": {"host", "jobs", "pools"},
    "backups": {"host", "jobs", "pools"},
    "machine": {"host", "jobs"},
    "accounts": {"host", "jobs"},
    "alerts": {"host", "jobs", "pools", "disks", "shares", "replication", "backups", "machine"},
    "frontend": set(ROOMS) - {"nasweb"},
    "nasweb": set(ROOMS),
}
LONGEST_MODULE, LONGEST_FUNCTION, MEDIAN_MODULE, MOST_MODULES = 400, 60, 100, 25
_STARTERS = {"subprocess", "pty", "multiprocessing"}
_OS_STARTERS = {"system", "popen", "fork", "forkpty", "posix_spawn", "posix_spawnp", "startfile"}


@cache
def modules(*rooms: str) -> list[Path]:
    found = [path for room in rooms for path in sorted((ROOT / room).rglob("*.py"))]
    return [path for path in found if not {"migrations", "node_modules"} & set(path.parts)]


@pytest.mark.parametrize("room", ROOMS)
def test_imports_point_one_way(room: str) -> None:
    allowed = MAY_IMPORT[room] | {room}
    wrong = [
        f"{path.relative_to(ROOT)} imports {name}"
        for path in modules(room)
        for name in imported(path)
        if name.split(".")[0] in ROOMS
        and not any(name == prefix or name.startswith(f"{prefix}.") for prefix in allowed)
    ]
    assert wrong == []


def test_no_packages_import_each_other_in_a_circle() -> None:
    """Of folders with modules, below the rooms: what is in a room's own folder may use all of them."""
    uses: dict[str, set[str]] = {}
    for path in modules(*ROOMS):
        package = str(path.parent.relative_to(ROOT))
        if "/" in package:
            found = {folder_of(name) for name in imported(path)}
            above = {package, *(str(parent) for parent in Path(package).parents)}
            below = {one for one in found if one.startswith(f"{package}/")}
            uses.setdefault(package, set()).update(found - above - below - {""})
    circles = [package for package in uses if package in reached(package, uses)]
    assert circles == []


def folder_of(name: str) -> str:
    """`pools.advice.ask` → `pools/advice`; empty for what is no package below a room."""
    place = ROOT.joinpath(*name.split("."))
    folder = place if place.is_dir() else place.parent
    named = str(folder.relative_to(ROOT)) if folder.is_dir() else ""
    return named if "/" in named else ""


def reached(package: str, uses: dict[str, set[str]]) -> set[str]:
    found, new = set[str](), set(uses[package])
    while new:
        found |= new
        new = {other for one in new for other in uses.get(one, ())} - found
    return found


def test_a_folder_holds_few_modules() -> None:
    counts = Counter(str(path.parent.relative_to(ROOT)) for path in modules(*ROOMS))
    assert {folder: n for folder, n in counts.items() if n > MOST_MODULES} == {}


def test_only_one_module_starts_processes() -> None:
    starters = set()
    for path in modules(*ROOMS):
        starts = bool(_STARTERS & {name.split(".")[0] for name in imported(path)})
        for node in ast.walk(tree(path)):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "os":
                starts |= node.attr in _OS_STARTERS or node.attr.startswith(("exec", "spawn"))
            if isinstance(node, ast.keyword) and node.arg == "shell":
                starts = True
        if starts:
            starters.add(str(path.relative_to(ROOT)))
    assert starters == {"host/local.py"}


def test_modules_and_functions_stay_small() -> None:
    lengths = {path: len(path.read_text().splitlines()) for path in modules(*ROOMS)}
    assert {str(path): n for path, n in lengths.items() if n > LONGEST_MODULE} == {}
    assert median(lengths.values()) <= MEDIAN_MODULE
    long = [
        f"{path.relative_to(ROOT)}:{node.name}"
        for path in modules(*ROOMS)
        for node in ast.walk(tree(path))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and (node.end_lineno or 0) - node.lineno >= LONGEST_FUNCTION
    ]
    assert long == []


def test_no_room_is_called_by_an_empty_word() -> None:
    empty = {"utils", "helpers", "common", "manager", "misc"}
    assert [str(p) for p in modules(*ROOMS) if empty & {p.stem, *p.relative_to(ROOT).parts}] == []


def test_the_helper_loads_no_web_framework() -> None:
    heavy = {"django", "rest_framework", "celery", "structlog"}
    assert {str(p): sorted(found) for p in modules("host") if (found := imported_tops(p) & heavy)} == {}


def test_the_helper_loads_nothing_of_networks_and_ciphers() -> None:
    """What root's process has not loaded has no faults there, and takes no memory."""
    heavy = {"ssl", "http", "urllib", "xml", "email", "cryptography", "logging", "concurrent"}
    loaded = loaded_with(ROOT / "host/helper.py")
    bad = {p.relative_to(ROOT): found for p in loaded if (found := imported_tops(p) & heavy)}
    assert bad == {}


def loaded_with(path: Path) -> set[Path]:
    """The modules of ours that `path` imports, and those that they do, each with the packages it lies in."""
    found, new = set[Path](), {path}
    while new:
        found |= new
        names = {name for one in new for name in imported(one)}
        parts = [name.split(".") for name in names]
        places = {ROOT.joinpath(*some[:end]) for some in parts for end in range(1, len(some) + 1)}
        files = {file for place in places for file in (place.with_suffix(".py"), place / "__init__.py")}
        new = {file for file in files if file.exists()} - found
    return found


def imported_tops(path: Path) -> set[str]:
    return {name.split(".")[0] for name in imported(path)}
