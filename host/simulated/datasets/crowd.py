"""Many datasets and snapshots at once, to see how a console bears them."""

from __future__ import annotations

from host.simulated.datasets.values import mount
from host.simulated.state import Dataset, Machine, Pool, Snapshot

_PER_FOLDER = 50  # datasets beside each other
_APART_S = 3600


def fill(machine: Machine, pool: Pool, *, datasets: int, snapshots: int) -> None:
    """Add file systems until the pool has `datasets` besides its root, each with so many snapshots."""
    now = int(machine.now())
    names: list[str] = []
    for number in range(datasets):
        folder, place = divmod(number, _PER_FOLDER)
        top = f"{pool.name}/group{folder:03}"
        names.append(top if place == 0 else f"{top}/data{place:02}")
    first = pool.txg
    for name in names:
        pool.txg += 1
        pool.datasets[name] = Dataset(
            name=name, kind="filesystem", guid=machine.number(), createtxg=pool.txg,
            objsetid=54 + 9 * len(pool.datasets), created=now - snapshots * _APART_S, data=64 << 20,
            snapshots_changed=now - _APART_S if snapshots else None,
        )  # fmt: skip
        pool.datasets[name].snapshots = [
            Snapshot(
                tag=f"auto-{place:05}", guid=machine.number(), createtxg=first + datasets + place + 1,
                created=now - (snapshots - place) * _APART_S, data=(60 << 20) + (place << 10),
                unique=place << 10,
            )
            for place in range(snapshots)
        ]  # fmt: skip
        mount(machine, pool.datasets[name])
    pool.txg += snapshots + 1
