"""Times a call many times, and prints a figure beside its aim."""

from __future__ import annotations

import time
from collections.abc import Callable
from statistics import median, quantiles


def times_ms(call: Callable[[], object], *, runs: int = 100, warm_up: int = 5) -> list[float]:
    """Milliseconds of each run after the warm-up."""
    for _ in range(warm_up):
        call()
    found = []
    for _ in range(runs):
        started = time.perf_counter()
        call()
        found.append(1000 * (time.perf_counter() - started))
    return found


def p95(values: list[float]) -> float:
    """The 95th percentile."""
    return quantiles(values, n=20)[-1]


def show(what: str, value: float, *, aim: float, unit: str, how: str) -> None:
    """One line: the figure, its aim, their ratio, and how it was measured."""
    print(f"{what:<44}{value:>9.1f} {unit:<4}aim {aim:>6g}   ratio {value / aim:>5.2f}   {how}", flush=True)


def show_times(what: str, values: list[float], *, aim: float, how: str) -> None:
    """The 95th percentile as the figure, with the median."""
    show(
        what, p95(values), aim=aim, unit="ms", how=f"p95 of {len(values)}, median {median(values):.1f}; {how}"
    )
