"""What the programs share that have zdb read a pool."""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import Any

from host.measuring.pausing import Writing
from host.measuring.places import REPORTS
from host.measuring.zdb import ReadingPool
from host.programs.measuring.snapshot import Around
from host.system.following import Follow


def asked_of(what: str, about: str | None, arguments: list[str] | None) -> argparse.Namespace:
    """`run`, `pool`, and `reports`, the folder of reports."""
    options = argparse.ArgumentParser(prog=f"python -m host.programs.measuring.{what}", description=about)
    options.add_argument("--run", required=True, help="what the run and its report are called")
    options.add_argument("--pool", required=True, help="which pool is read")
    options.add_argument("--reports", type=Path, default=Path(REPORTS), help="the folder of reports")
    return options.parse_args(arguments)


def reading(report: Writing[Any], pool: str, around: Around, follow: Follow, too_large: str) -> ReadingPool:
    """Of the pool, by zdb."""
    return ReadingPool(
        report, follow=follow, clock=time.monotonic, stop=around.stop, busy=lambda: around.busy(pool),
        too_large=too_large,
    )  # fmt: skip
