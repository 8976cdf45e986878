"""The help of the pages about replications."""

from __future__ import annotations

REPLICATING: dict[str, str] = {
    "replications": (
        "Lists what is copied to another pool or machine, and how old each copy is. Usually you only look "
        "whether a copy is late. A copy on a pool of the same machine is lost with the machine: keep one "
        "elsewhere."
    ),
    "replication-form": (
        "Arranges that a dataset is copied to a target. Choose the dataset, the target and when it runs; "
        "the rest can stay as it is. Nothing is sent before its first run, and nothing at the target is "
        "ever rolled back. A copy that is there already, carried on a disk, is adopted by its snapshots."
    ),
    "replication": (
        "Shows how far a replication is and what stands in its way, dataset by dataset. Usually you start a "
        "run, follow it, or compare its files. Once the source is lost, copy it back from here: it goes live "
        "with its shares when all has come back. Deleting a replication keeps the copy, but it no longer "
        "follows."
    ),
}
