"""Whether a pool may be measured now, and with files of which size."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from host.benchmark.values import Benchmark
from host.commands.pools.benchmark import StartBenchmark
from host.inventory import Inventory, Property, Scan
from host.inventory.datasets import Source
from jobs.plan import Plan, Refused
from pools.benchmark.see import QUESTION, BenchmarkFound
from pools.benchmark.start import BenchmarkPool, plan
from tests import made
from tests.pools.benchmark.test_expect import LINKS, leaf, vdev

MIB, GIB = 1 << 20, 1 << 30


def machine(
    run: Benchmark | None = None, *, free: int = 1000 * GIB, locked: bool = False, **changes: Any
) -> Inventory:
    pool = made.pool(**({"vdevs": (vdev("mirror-0", *LINKS[:2]),)} | changes))
    root = made.dataset("tank", available=str(free), keystatus="unavailable" if locked else "available")
    found = made.inventory(pools=(pool,), datasets=(root,))
    return msgspec.structs.replace(found, answers={QUESTION: BenchmarkFound(benchmark=run)})


def begun(found: Plan) -> StartBenchmark:
    (command,) = (command for step in found.steps for command in step.commands)
    assert isinstance(command, StartBenchmark)
    return command


def scan(function: str) -> Scan:
    return Scan(function=function, state="SCANNING", started="2026-11-01T00:00:00+00:00")


@pytest.mark.parametrize(
    ("free", "size"), [(1000 * GIB, 8 * GIB), (20 * GIB, GIB), (GIB, 64 * MIB), (130 * MIB, 64 * MIB)]
)
def test_files_take_a_small_part_of_what_is_free(free: int, size: int) -> None:
    assert begun(plan(BenchmarkPool(name="tank"), machine(free=free))).size_bytes == size


def test_the_plan_says_what_is_written() -> None:
    found = plan(BenchmarkPool(name="tank", profile="small-files"), machine())
    assert "The dataset tank/.nasweb-benchmark is created, 0.8 GiB are written" in found.summary
    assert found.takes.startswith("about ") and found.destroys == ()
    assert begun(found).disks == LINKS[:2]
    assert begun(plan(BenchmarkPool(name="tank", disks=False), machine())).disks == ()


def test_members_of_other_names_are_not_read_alone() -> None:
    vdevs = (leaf("/dev/sda1"), leaf(LINKS[1]))
    assert begun(plan(BenchmarkPool(name="tank"), machine(vdevs=vdevs))).disks == (LINKS[1],)


GOING = Benchmark(
    run="0" * 16, pool="tank", profile="mixed", record_bytes=131072, compression="lz4", clients=4,
    size_bytes=GIB, started_at="2026-11-26T10:00:00+00:00", updated_at="2026-11-26T10:01:00+00:00",
)  # fmt: skip


@pytest.mark.parametrize(
    ("request_", "inventory", "field", "code"),
    [
        (BenchmarkPool(name="none"), machine(), "name", "unknown-pool"),
        (BenchmarkPool(name="tank"), machine(state="SUSPENDED"), "name", "suspended"),
        (BenchmarkPool(name="tank"), machine(properties={"readonly": "on"}), "name", "read-only"),
        (BenchmarkPool(name="tank"), machine(scan=scan("RESILVER")), "name", "resilvering"),
        (BenchmarkPool(name="tank"), machine(locked=True), "name", "locked"),
        (BenchmarkPool(name="tank"), machine(free=100 * MIB), "name", "too-full"),
        (BenchmarkPool(name="tank", size_bytes=6 * GIB), machine(free=10 * GIB), "size_bytes", "too-large"),
        (BenchmarkPool(name="tank", record_bytes=1048576),
         machine(properties={"feature@large_blocks": "disabled"}), "record_bytes", "no-large-blocks"),
        (BenchmarkPool(name="tank"), machine(GOING), "name", "already-measuring"),
    ],
)  # fmt: skip
def test_what_is_refused(request_: BenchmarkPool, inventory: Inventory, field: str, code: str) -> None:
    with pytest.raises(Refused) as refused:
        plan(request_, inventory)
    assert [(one.field, one.code) for one in refused.value.findings] == [(field, code)]


def left(source: Source) -> Inventory:
    known = made.dataset("tank/.nasweb-benchmark")
    known.properties["nasweb:benchmark"] = Property(value="on", source=source)
    return msgspec.structs.replace(machine(), keeping=(known,))


def test_what_no_benchmark_made_is_not_taken_for_what_one_left() -> None:
    assert begun(plan(BenchmarkPool(name="tank"), left("local")))
    for found in (left("received"), left("inherited"), machine_with_any()):
        with pytest.raises(Refused) as refused:
            plan(BenchmarkPool(name="tank"), found)
        (fault,) = refused.value.findings
        assert (fault.field, fault.code) == ("name", "in-the-way")
        assert "zfs rename tank/.nasweb-benchmark tank/NAME" in fault.message


def machine_with_any() -> Inventory:
    return msgspec.structs.replace(machine(), keeping=(made.dataset("tank/.nasweb-benchmark"),))


def test_a_scrub_is_warned_of() -> None:
    found = plan(BenchmarkPool(name="tank"), machine(scan=scan("SCRUB")))
    assert [(one.level, one.code) for one in found.findings] == [("warning", "scrubbing")]
