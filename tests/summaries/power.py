"""Examples of restart and shutdown."""

from __future__ import annotations

from collections.abc import Callable

from jobs.plan import Plan
from machine.power import restart, shut_down
from tests.machine.cases import machine

EXAMPLES: dict[str, tuple[Callable[[], Plan], ...]] = {
    "machine.restart": (lambda: restart.plan(restart.Restart(), machine()),),
    "machine.shut-down": (lambda: shut_down.plan(shut_down.ShutDown(), machine()),),
}
