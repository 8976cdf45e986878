"""All examples put together, and the text that is compared."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path

from jobs.plan import Plan
from nasweb.operations import OPERATIONS
from tests.summaries import (
    backups,
    boot,
    datasets,
    disks,
    machine,
    personal,
    pools,
    power,
    replication,
    shares,
    targets,
)

type Examples = dict[str, tuple[Callable[[], Plan], ...]]

FILE = Path(__file__).parents[1] / "summaries.txt"
EXAMPLES: Examples = {
    **pools.EXAMPLES, **datasets.EXAMPLES, **disks.EXAMPLES, **boot.EXAMPLES,
    **machine.EXAMPLES, **personal.EXAMPLES, **power.EXAMPLES, **replication.EXAMPLES, **targets.EXAMPLES,
    **shares.EXAMPLES, **backups.EXAMPLES,
}  # fmt: skip


def plans() -> Iterator[tuple[str, Plan]]:
    """Each example's plan, by the names of operations."""
    for name in sorted(EXAMPLES):
        for example in EXAMPLES[name]:
            yield name, example()


def text() -> str:
    """The file: operation and effect, then what its plans say."""
    lines: list[str] = []
    last = ""
    for name, plan in plans():
        if name != last:
            effect = OPERATIONS[name].effect
            lines += ["", f"{name} ({effect if isinstance(effect, str) else 'by the request'})"]
        said = " ".join(filter(None, (plan.summary, plan.takes and f"[{plan.takes}]")))
        lines += textwrap.wrap(said, 116, initial_indent="  - ", subsequent_indent="    ")
        last = name
    return "\n".join(lines).lstrip("\n") + "\n"
