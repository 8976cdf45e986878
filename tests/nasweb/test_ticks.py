"""What the clock carries out is known to the web process as well."""

from __future__ import annotations

import ast
from pathlib import Path

from alerts import tasks


def test_the_web_process_which_imports_the_tasks_loads_no_apprise_with_them() -> None:
    imported = {
        node.module if isinstance(node, ast.ImportFrom) else name.name
        for node in ast.parse(Path(tasks.__file__).read_text()).body
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in node.names
    }
    assert not any(name and name.startswith(("apprise", "alerts.channels.sending")) for name in imported)
