"""What a module imports, by its text: nothing is run."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]


@cache
def tree(path: Path) -> ast.Module:
    """The parsed module at `path`."""
    return ast.parse(path.read_text(), filename=str(path))


@cache
def imported(path: Path) -> frozenset[str]:
    """The modules that it imports, and `module.name` for each name that it takes from one."""
    names: set[str] = set()
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return frozenset(names)
