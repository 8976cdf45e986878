"""How full pools are, and when they will be.

Above 80 % finding free space takes longer and what is written lies in pieces: openzfs-docs, "Performance and
tuning", "Free Space". What is full cannot even be deleted from without care, since deleting writes too.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from alerts import remedy
from alerts.doctor.finding import Check, DoctorFinding, Patient, Unexamined, figure, of_pool
from alerts.doctor.trend import FEWEST_DAYS, Trend, until_full
from alerts.doctor.words import days, size, until_full_words
from alerts.fullness import space_of
from alerts.remedy import Remedy
from host.inventory import Inventory, Pool
from jobs import series

NEARLY_FULL_PERCENT, FULL_PERCENT, SOON_DAYS = 80, 95, 60
# Below half no vdev is short of space; a difference of some percent is how ZFS allocates anyway.
HALF_PERCENT, UNEVEN_POINTS = 50, 25
SERIES = "pool.used_bytes"


def keep(inventory: Inventory) -> None:
    """Record how much each pool holds, how fragmented its free space is, and the table of deduplication
    where there is one; nothing of a pool that does not answer."""
    time = int(datetime.fromisoformat(inventory.as_of).timestamp())
    values: dict[str, float] = {}
    for pool in inventory.pools:
        if pool.suspended or (space := space_of(pool, inventory)) is None:
            continue
        values[f"{SERIES}:{pool.guid}"] = space[0]
        if (fragmented := pool.properties.get("fragmentation", "")).isdecimal():
            values[f"pool.fragmentation_percent:{pool.guid}"] = int(fragmented)
        if pool.dedup_table_bytes:
            values[f"pool.dedup_table_bytes:{pool.guid}"] = pool.dedup_table_bytes
    series.record(series.Point(name, time, value) for name, value in values.items())


def _full(patient: Patient) -> Iterator[DoctorFinding | Unexamined]:
    for pool in patient.pools:
        space = space_of(pool, patient.inventory)
        if space is None:
            yield Unexamined(words=f"It is not known how full {pool.name} is.")
            continue
        used, available = space
        percent = 100 * used / (used + available)
        trend = _trend(patient, pool, available)
        if percent < NEARLY_FULL_PERCENT:
            continue
        yield DoctorFinding(
            code="nearly-full", severity="critical" if percent >= FULL_PERCENT else "warning",
            subject=of_pool(pool), title=f"{pool.name} is {percent:.0f} % full",
            why="Above 80 %, writing becomes slower and new data is fragmented, which is permanent. When "
            "it is full, programs fail, and even deleting becomes difficult.",
            evidence=(
                figure("Used", size(used)), figure("Free", size(available)),
                figure("Days until full", until_full_words(trend)),
            ),
            fix=_fix(pool),
        )  # fmt: skip


def _soon(patient: Patient) -> Iterator[DoctorFinding | Unexamined]:
    for pool in patient.pools:
        space = space_of(pool, patient.inventory)
        if space is None:
            yield Unexamined(words=f"It is not known how full {pool.name} is.")
            continue
        trend = _trend(patient, pool, space[1])
        if trend is None:
            yield Unexamined(
                words=f"How soon {pool.name} will be full can be estimated after {FEWEST_DAYS} days of "
                "measurements."
            )
        elif trend.latest_days is not None and trend.latest_days < SOON_DAYS:
            yield DoctorFinding(
                code="full-soon", severity="warning", subject=of_pool(pool),
                title=f"{pool.name} will be full in {until_full_words(trend)}",
                why="New disks take a while to choose, to arrive and to be burnt in. Start before it is "
                "full.",
                evidence=(
                    figure("Grows by", f"{size(trend.bytes_per_day)} a day"),
                    figure("Seen over", days(trend.seen_days)), figure("Free", size(space[1])),
                ),
                fix=_fix(pool),
            )  # fmt: skip


def _uneven(patient: Patient) -> Iterator[DoctorFinding]:
    for pool in patient.pools:
        shares = {
            vdev.name: 100 * vdev.allocated_bytes / vdev.total_bytes
            for vdev in pool.vdevs
            if vdev.role == "data" and vdev.total_bytes and not vdev.removing and not vdev.not_allocating
        }
        fullest, emptiest = max(shares.values(), default=0), min(shares.values(), default=0)
        if fullest < HALF_PERCENT or fullest - emptiest < UNEVEN_POINTS:
            continue
        yield DoctorFinding(
            code="filled-unevenly", severity="advice", subject=of_pool(pool),
            title=f"The vdevs of {pool.name} are filled unevenly",
            why="ZFS writes most to the emptiest vdev, so new data is on fewer disks and is written and read "
            "more slowly than all of them could. It does not move what is there. This happens when a vdev "
            "is added later, and gets less by itself where data comes and goes.",
            evidence=tuple(figure(name, f"{percent:.0f} % full") for name, percent in shares.items()),
            fix=(
                Remedy(words="Nothing has to be done. To spread old data, rewrite the largest datasets: each "
                             "is copied beside itself and compared, and then takes its own place.",
                       page="/datasets/", label="Datasets"),
            ),
        )  # fmt: skip


def _trend(patient: Patient, pool: Pool, available: int) -> Trend | None:
    known = patient.memory.space.get(pool.guid)
    return until_full(known.times, known.used, available) if known else None


def _fix(pool: Pool) -> tuple[Remedy, ...]:
    return (
        Remedy(words="See which datasets and snapshots use the most space, and delete what nobody needs.",
               page="/datasets/", label="Datasets"),
        remedy.of_pool(
            pool.name,
            (
                "Or make it larger: add a vdev, attach a disk to a raidz, or replace its disks with "
                "larger ones, one after the other."
            ),
            "See its vdevs", "#vdevs",
        ),
    )  # fmt: skip


CHECKS = (
    Check(code="nearly-full", passed="No pool is over 80 % full", examine=_full),
    Check(code="filled-unevenly", passed="The vdevs of each pool are filled evenly", examine=_uneven),
    Check(code="full-soon", passed="No pool will be full within two months", examine=_soon),
)
