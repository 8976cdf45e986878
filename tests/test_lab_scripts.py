"""The Python that drills run in the guest is text to mypy: what it imports from us has to be there."""

from __future__ import annotations

import ast
import importlib
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
_IMPORT = re.compile(r"^from ([a-z_.]+) import ([\w, ]+)$", re.MULTILINE)


def imports() -> Iterator[tuple[str, str, str]]:
    """File, module and name of each import in a string of the lab."""
    for path in sorted((ROOT / "tests" / "lab").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                for module, names in _IMPORT.findall(node.value):
                    yield from ((path.name, module, name.strip()) for name in names.split(","))


FOUND = sorted(set(imports()))


def test_some_are_found() -> None:
    assert ("test_holders.py", "host.client", "HelperHost") in FOUND


@pytest.mark.parametrize(("file", "module", "name"), FOUND, ids=" ".join)
def test_it_can_be_imported(file: str, module: str, name: str) -> None:
    known = importlib.import_module(module)
    assert hasattr(known, name) or importlib.import_module(f"{module}.{name}")
