"""What takes the space of a pool, by comparing values."""

from __future__ import annotations

import msgspec
from rest_framework.test import APIClient

from host.inventory import Dataset
from host.simulated import SimulatedHost
from pools.space.use import space_of
from tests import made
from tests.backups.conftest import with_files  # noqa: F401  (a fixture)

GIB = 1 << 30


def dataset(
    name: str, *, data: int = 0, snapshots: int = 0, kept: int = 0, children: int = 0, reservation: int = 0
) -> Dataset:
    return made.dataset(
        name, usedbydataset=str(data), usedbysnapshots=str(snapshots), usedbyrefreservation=str(kept),
        usedbychildren=str(children), used=str(data + snapshots + kept + children),
        reservation=str(reservation),
    )  # fmt: skip


def test_the_largest_comes_first_and_all_adds_up_to_what_the_root_says() -> None:
    found = space_of(
        made.inventory(
            pools=(made.pool("tank"),),
            datasets=(
                dataset("tank", data=1, children=96),
                dataset("tank/a", data=5, snapshots=40, children=21),
                dataset("tank/a/b", data=20, kept=1),
                dataset("tank/c", data=30),
                dataset("vault", data=7),
            ),
        ),
        "tank",
    )
    assert [(one.dataset, one.own_bytes) for one in found] == [
        ("tank/a", 45), ("tank/c", 30), ("tank/a/b", 21), ("tank", 1),
    ]  # fmt: skip
    assert sum(one.own_bytes for one in found) == 97
    assert (found[0].data_bytes, found[0].snapshots_bytes, found[2].reserved_bytes) == (5, 40, 1)


def test_var_and_home_on_the_pool_are_the_systems_and_not_zfs_own() -> None:
    inventory = made.inventory(pools=(made.pool("tank"),), datasets=(dataset("tank", data=1, children=33),))
    kept = (dataset("tank/.nasweb-state", children=30), dataset("tank/.nasweb-state/var", data=30))
    found = space_of(msgspec.structs.replace(inventory, keeping=kept), "tank")
    assert [(one.dataset, one.kind, one.own_bytes) for one in found] == [
        ("tank/.nasweb-state/var", "system", 30), ("tank", "filesystem", 4),
        ("tank/.nasweb-state", "system", 0),
    ]  # fmt: skip
    assert next(one for one in found if one.dataset == "tank").internal_bytes == 3


def test_what_is_reserved_for_a_child_counts_above_it() -> None:
    found = space_of(
        made.inventory(
            pools=(made.pool("tank"),),
            datasets=(dataset("tank", children=10 * GIB), dataset("tank/a", data=GIB, reservation=10 * GIB)),
        ),
        "tank",
    )
    assert {one.dataset: one.reserved_bytes for one in found} == {"tank": 9 * GIB, "tank/a": 0}


def test_what_zfs_keeps_for_itself_is_no_reservation() -> None:
    """The tables of deduplication, for one, are below the pool's root and in no dataset's own."""
    found = space_of(
        made.inventory(
            pools=(made.pool("tank"),),
            datasets=(
                dataset("tank", children=10 * GIB),
                dataset("tank/a", data=GIB, reservation=2 * GIB),
                dataset("tank/b", data=3 * GIB, reservation=GIB),
            ),
        ),
        "tank",
    )
    assert {one.dataset: (one.reserved_bytes, one.internal_bytes) for one in found} == {
        "tank": (GIB, 5 * GIB), "tank/a": (0, 0), "tank/b": (0, 0),
    }  # fmt: skip
    assert sum(one.own_bytes for one in found) == 10 * GIB


def test_the_api_lists_it_a_page_at_a_time(api: APIClient, with_files: SimulatedHost) -> None:  # noqa: F811
    first = api.get("/api/v1/space/?pool=tank&limit=1").json()
    assert len(first["results"]) == 1 and first["next"]
    assert api.get("/api/v1/space/").status_code == 422
    assert api.get("/api/v1/space/?pool=none").status_code == 404
    every = api.get("/api/v1/space/?pool=tank").json()["results"]
    used = {one["dataset"]: one["used_bytes"] for one in every}
    own = ("data_bytes", "snapshots_bytes", "reserved_bytes", "internal_bytes")
    assert sum(one[field] for one in every for field in own) == used["tank"]
