"""The pool that holds the state, or shall."""

from __future__ import annotations

from host.base import Host
from host.commands.system.moved_state import dataset_of
from host.commands.system.state_program import FindDataset, ImportedPools
from host.inventory.moved import NotThere
from host.programs.moved_state.context import FAILURES
from host.programs.moved_state.wanted import Wanted

_ANSWERS_NOTHING = {"SUSPENDED", "FAULTED", "UNAVAIL"}


class Unusable(Exception):
    """Nothing can be copied to the pool, or mounted from it."""

    def __init__(self, reason: NotThere) -> None:
        self.reason: NotThere = reason
        super().__init__(f"The pool cannot be used: {reason}.")


def find_pool(host: Host, wanted: Wanted) -> str:
    """The name of the pool, by its number: it may have got another name. Raises `Unusable`."""
    try:
        listed = host.run(ImportedPools()).stdout
    except FAILURES:
        raise Unusable("pool-missing") from None
    rows = (line.split("\t") for line in listed.splitlines())
    found = next((row for row in rows if row[0] == wanted.guid and len(row) == 4), None)
    if found is None:
        raise Unusable("pool-missing")
    _, health, read_only, pool = found
    if health in _ANSWERS_NOTHING:
        raise Unusable("pool-suspended")
    if read_only != "off":
        raise Unusable("pool-read-only")
    try:
        for folder in wanted.what:
            host.run(FindDataset(name=dataset_of(pool, folder)))
    except FAILURES:
        raise Unusable("dataset-missing") from None
    return pool
