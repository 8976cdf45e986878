"""What the helper on the virtual NAS ran, from its journal."""

from __future__ import annotations

import json
from typing import Any

from tests.lab.machine import Machine


def commands(machine: Machine) -> list[dict[str, Any]]:
    """Every command with its `argv` and `duration_s`, in their order."""
    lines = machine.run("journalctl --unit nasweb-helper --output cat --no-pager").stdout.splitlines()
    entries = [json.loads(line) for line in lines if line.startswith("{")]
    return [entry for entry in entries if entry["event"] == "command"]
