"""The console's own datasets, one level below the roots of pools: in no list, and for nobody but programs."""

from __future__ import annotations

DATASET = ".nasweb"  # backups of the settings; mounted for nobody but the program that writes
STATE = ".nasweb-state"  # /var and /home, where the owner moved them there (host.programs.moved_state)
BENCHMARK = ".nasweb-benchmark"  # there while a benchmark goes on (host.commands.pools.benchmark)


def of_pool(pool: str) -> str:
    """The dataset of a pool that holds the copies."""
    return f"{pool}/{DATASET}"


def is_ours(dataset: str) -> bool:
    """Whether it is such a dataset, that of /var and /home or that of a benchmark, or lies in one."""
    return dataset.split("/")[1:2] in ([DATASET], [STATE], [BENCHMARK])
