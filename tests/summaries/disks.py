"""Examples of plans."""

from __future__ import annotations

from collections.abc import Callable

from jobs.plan import Plan

EXAMPLES: dict[str, tuple[Callable[[], Plan], ...]] = {}
