"""How much room a dataset takes that is written anew."""

from __future__ import annotations

from typing import Any

import pytest

from host.inventory import Dataset, Inventory
from jobs.plan import Plan, Refused
from replication.rewrites.begin import RewriteDataset, plan
from replication.rewrites.room import needed_bytes
from tests import made

GIB = 1 << 30


def figures(
    name: str, *, head: int, snapshots: int = 0, below: int = 0, logical: int | None = None, **values: Any
) -> Dataset:
    """With what its files, its snapshots and all below it take, in GiB; `logical` without compression."""
    used = head + snapshots + below
    found = {
        "used": used, "usedbydataset": head, "usedbysnapshots": snapshots, "usedbychildren": below,
        "referenced": head, "logicalused": used if logical is None else logical,
    }  # fmt: skip
    own = {key: str(value * GIB) for key, value in found.items()} | {"refcompressratio": "1.00"}
    return made.dataset(name, **own | {"compression": "lz4", "copies": "1"} | values)


def begun(*tree: Dataset, free: int) -> Plan:
    machine: Inventory = made.inventory(
        pools=(made.pool("tank"),),
        datasets=(made.dataset("tank", available=str(free * GIB)), *tree),
    )
    return plan(RewriteDataset(dataset=tree[0].name), machine)


@pytest.mark.parametrize(
    ("tree", "gib"),
    [
        ((figures("tank/a", head=5, snapshots=2),), 7),
        # A clone takes what it shares with its origin, too.
        ((figures("tank/a", head=1, snapshots=1, origin="tank/b@one", referenced=str(40 * GIB)),), 41),
        (
            (
                figures("tank/a", head=3, below=1),
                figures("tank/a/c", head=1, origin="tank/b@one", referenced=str(40 * GIB)),
            ),
            43,
        ),
        ((figures("tank/a", head=3, referenced=str(40 * GIB)),), 3),
        # Not compressed any more: as large as it is read.
        ((figures("tank/a", head=10, logical=20, compression="off", refcompressratio="2.00"),), 20),
        ((figures("tank/a", head=10, logical=20, refcompressratio="2.00"),), 10),
        (
            (
                figures("tank/a", head=2, below=10, logical=22),
                figures("tank/a/c", head=10, logical=20, compression="off", refcompressratio="2.00"),
            ),
            22,
        ),
        # Twice, where it lies there once; and no more than it takes where it lies there twice.
        ((figures("tank/a", head=10, logical=20, copies="2", refcompressratio="2.00"),), 20),
        ((figures("tank/a", head=20, logical=20, copies="2", refcompressratio="2.00"),), 20),
        ((figures("tank/a", head=9, logical=18, copies="3", compression="off", refcompressratio="2.0"),), 54),
        (
            (
                figures(
                    "tank/a", head=1, logical=2, compression="off", refcompressratio="2.00",
                    origin="tank/b@one", referenced=str(11 * GIB),
                ),
            ),
            22,
        ),
    ],
)  # fmt: skip
def test_it_takes_what_its_blocks_will(tree: tuple[Dataset, ...], gib: int) -> None:
    assert needed_bytes(tree) == gib * GIB


def test_a_clone_is_not_begun_where_it_would_fill_the_pool() -> None:
    clone = figures("tank/a", head=1, origin="tank/b@one", referenced=str(40 * GIB))
    with pytest.raises(Refused) as refused:
        begun(clone, free=39)
    (fault,) = [one for one in refused.value.findings if one.level == "error"]
    assert (fault.code, fault.field) == ("no-room", "dataset")
    assert fault.message == "40 GiB are needed, and 39 GiB are free in tank."
    found = begun(clone, free=100)
    assert "Until the end 40 GiB more of tank are taken." in found.summary
    assert not [one for one in found.findings if one.code == "little-room"]
