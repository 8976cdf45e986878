"""How fast a pool is and was, as the API answers it and the page shows it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial

import msgspec
from django.db.models import QuerySet

from host import typed
from host.benchmark.values import Benchmark, PartResult, Profile
from host.inventory import Disk, Inventory, Pool, leaves
from pools.benchmark.expect import Expectation, bottleneck, expected, slow_disks
from pools.benchmark.state import MachineState, changes, machine_state
from pools.models import BenchmarkRow
from pools.phrases import disk_named

_MOST_RESULTS = 200
_MOST_EMPTY = 5  # that may have measured nothing, one after the other
_LIGHT, _LARGE_RECORD = ("off", "lz4"), 128 << 10


class PartFigures(msgspec.Struct, frozen=True, kw_only=True):
    """A part of a benchmark, with what held it up. `of_expected` is its share of what the layout allows, from
    0 to 1, of large files alone; `against_before` how many times as fast it is as in the comparable benchmark
    before.
    """

    result: PartResult
    bottleneck: str
    of_expected: float | None
    against_before: float | None


class PastBenchmark(msgspec.Struct, frozen=True, kw_only=True):
    """One that has ended. `since_before` is what has changed on the machine since the comparable one before:
    of the same profile, record size, compression and number of clients.
    """

    id: int
    benchmark: Benchmark
    parts: tuple[PartFigures, ...]
    state: MachineState
    since_before: tuple[str, ...]


class BenchmarkAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """`run` is the last benchmark or the one that goes on: its `verdict` is null until it ends. `results` are
    the newest first, of this pool by whatever name. `slow_disks` are far slower alone than the others.
    """

    pool: str
    run: Benchmark | None
    expected: Expectation | None
    slow_disks: tuple[str, ...]
    now: MachineState
    changed: tuple[str, ...]  # since the last result
    results: tuple[PastBenchmark, ...]
    as_of: str


def benchmark_answer(pool: Pool, inventory: Inventory, run: Benchmark | None) -> BenchmarkAnswer:
    """The answer for a pool, from the machine's report and the kept rows."""
    results = past(pool, inventory)
    now = machine_state(pool, inventory)
    disks = next((one.benchmark.disks for one in results if one.benchmark.disks), ())
    if run is not None and run.disks:
        disks = run.disks
    return BenchmarkAnswer(
        pool=pool.name, run=run, expected=expected(pool, disks), slow_disks=slow_disks(disks), now=now,
        changed=changes(results[0].state, now) if results else (), results=results, as_of=inventory.as_of,
    )  # fmt: skip


def newest_plain(pool: Pool, inventory: Inventory, profile: Profile) -> PastBenchmark | None:
    """The last one of that profile that measured how fast the pool is: with large records, and without a
    compression that the processors could not keep up with."""
    plain = {"report__compression__in": _LIGHT, "report__record_bytes__gte": _LARGE_RECORD}
    rows = _ended(pool).filter(profile=profile, **plain)
    return next(iter(past(pool, inventory, rows[:_MOST_EMPTY])), None)


def _ended(pool: Pool) -> QuerySet[BenchmarkRow]:
    return BenchmarkRow.objects.filter(pool_guid=pool.guid, report__isnull=False).exclude(verdict="")


def past(
    pool: Pool, inventory: Inventory, rows: Iterable[BenchmarkRow] | None = None
) -> tuple[PastBenchmark, ...]:
    """Those that have ended and measured something, newest first; of `rows`, where not all are wanted."""
    named, now = partial(_named, pool=pool, inventory=inventory), machine_state(pool, inventory)
    found: list[PastBenchmark] = []
    last: dict[tuple[object, ...], PastBenchmark] = {}
    for row in reversed(list(_ended(pool)[:_MOST_RESULTS] if rows is None else rows)):
        benchmark = typed.convert(row.report, Benchmark)
        if not benchmark.parts:
            continue
        state = typed.convert(row.state, MachineState)
        before = last.get(kind(benchmark))
        allowed = _allowed(benchmark, state, pool, now)
        one = PastBenchmark(
            id=row.pk, benchmark=benchmark, parts=_parts(benchmark, state, allowed, before, named),
            state=state, since_before=changes(before.state, state) if before else (),
        )  # fmt: skip
        last[kind(benchmark)] = one
        found.append(one)
    return tuple(reversed(found))


def kind(one: Benchmark) -> tuple[object, ...]:
    """What two have in common that are held against each other."""
    return one.profile, one.record_bytes, one.compression, one.clients if one.profile == "streams" else 0


def _allowed(benchmark: Benchmark, then: MachineState, pool: Pool, now: MachineState) -> Expectation | None:
    """What the layout allowed; None for a profile that it does not decide, and where it is another now."""
    if benchmark.profile not in {"sequential", "streams"} or then.vdevs != now.vdevs:
        return None
    return expected(pool, benchmark.disks)


def _parts(
    benchmark: Benchmark,
    state: MachineState,
    allowed: Expectation | None,
    before: PastBenchmark | None,
    named: Callable[[str], str],
) -> tuple[PartFigures, ...]:
    earlier = {} if before is None else {_name(one.result): one.result for one in before.parts}
    return tuple(
        PartFigures(
            result=result,
            bottleneck=bottleneck(result, benchmark.disks, named, has_log=state.has_log),
            of_expected=_share(result, allowed),
            against_before=_against(result, earlier.get(_name(result))),
        )
        for result in benchmark.parts
    )


def _name(result: PartResult) -> tuple[str, str]:
    return result.part, result.kind


def _share(result: PartResult, allowed: Expectation | None) -> float | None:
    if allowed is None:
        return None
    most = allowed.read_bytes_per_s if result.kind == "read" else allowed.write_bytes_per_s
    return round(result.bytes_per_s / most, 3) if most else None


def _against(result: PartResult, before: PartResult | None) -> float | None:
    if before is None or not before.bytes_per_s:
        return None
    return round(result.bytes_per_s / before.bytes_per_s, 3)


def disk_behind(path: str, pool: Pool, inventory: Inventory) -> Disk | None:
    """The disk that a member of the pool is on; None where it is no longer one, or not here."""
    members = (leaf for vdev in pool.vdevs for leaf in leaves(vdev) if leaf.path == path)
    member = next(members, None)
    return inventory.disk(member.disk) if member is not None and member.disk else None


def _named(path: str, pool: Pool, inventory: Inventory) -> str:
    disk = disk_behind(path, pool, inventory)
    return disk_named(disk) if disk is not None else path.rpartition("/")[2]
