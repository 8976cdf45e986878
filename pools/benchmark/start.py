"""pool.benchmark: measure how fast a pool is, in the background."""

from __future__ import annotations

import re
from typing import Annotated, cast

import msgspec
from django.utils import timezone
from msgspec import Meta

from host.benchmark.profiles import LASTS_S, LEAST_BYTES, READS_S, parts, written_bytes
from host.benchmark.running import DISK_S, PLACES
from host.benchmark.values import Profile
from host.commands.base import DISK_LINK, DiskLink
from host.commands.datasets.measuring import RecordBytes, run_of
from host.commands.pools.benchmark import Clients, Compression, FileBytes, StartBenchmark, dataset_of
from host.inventory import Inventory, Pool, leaves
from host.system.own_datasets import MADE_BY_BENCHMARK
from jobs import questions
from jobs.needs import AnswerNeeds, Needs
from jobs.plan import Plan, Step
from jobs.planning.findings import Findings
from pools.benchmark.following import keep_last
from pools.benchmark.see import QUESTION, BenchmarkFound
from pools.benchmark.state import machine_state
from pools.measuring.beginning import NameText, quiet_pool, refuse_another
from pools.models import BenchmarkRow

_MIB, _GIB = 1 << 20, 1 << 30
_LINK = re.compile(DISK_LINK)
_USUAL_BYTES = 8 * _GIB
_USUAL_SHARE, _MOST_SHARE = 20, 2  # one part in so many of the free space
_PLAIN_RECORD = 128 << 10
_GUESSED_BYTES_PER_S = 100e6


class BenchmarkPool(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Measure how fast a pool writes and reads, with fio on a dataset that is destroyed at the end.

    `size_bytes` is how large its files are together; without it 8 GiB, or a twentieth of the free space where
    that is less. `clients` counts for the profile "streams". `disks`: read each disk alone first.
    """

    name: NameText
    profile: Profile = "sequential"
    record_bytes: RecordBytes = 131072
    compression: Compression = "lz4"
    clients: Clients = 4
    size_bytes: FileBytes | None = None
    disks: Annotated[bool, Meta(description="read each disk alone first")] = True


def needs(request: BenchmarkPool, inventory: Inventory) -> Needs:
    """Whether one goes on."""
    if inventory.pool(request.name) is None:
        return Needs()
    return Needs(answers=(AnswerNeeds(question=QUESTION, data={"name": request.name}),))


def plan(request: BenchmarkPool, inventory: Inventory) -> Plan:
    """Raises `Refused` for a pool that is not here, stopped, read-only, locked or too full, while it
    resilvers, and while a benchmark goes on.
    """
    findings = Findings()
    pool = _ready(request.name, inventory, findings)
    size = _size(request, inventory, findings)
    if request.record_bytes > _PLAIN_RECORD and pool.features.get("large_blocks") == "disabled":
        message = f"{pool.name} takes records of 128 KiB at most. Upgrade the pool, or choose a smaller size."
        findings.error("no-large-blocks", "record_bytes", message)
    findings.refuse_on_error()
    last = cast("BenchmarkFound | None", inventory.answers.get(QUESTION))
    refuse_another(last.benchmark if last is not None else None, findings)
    if pool.scan is not None and (pool.scan.function, pool.scan.state) == ("SCRUB", "SCANNING"):
        message = (
            f"{pool.name} is being scrubbed. The figures will be lower than usual, and the scrub slower."
        )
        findings.warning("scrubbing", "name", message)
    run = run_of(pool.name)
    begin = StartBenchmark(
        run=run, pool=pool.name, profile=request.profile, record_bytes=request.record_bytes,
        compression=request.compression, clients=request.clients, size_bytes=size,
        disks=member_links(pool) if request.disks else (),
    )  # fmt: skip
    written = f"{written_bytes(request.profile, size) / _GIB:.1f} GiB"
    return Plan(
        operation="pool.benchmark",
        steps=(Step(title=f"Start measuring {pool.name}", commands=(begin,)),),
        summary=f"The dataset {dataset_of(pool.name)} is created, {written} are written to it and read, "
        f"and it is destroyed at the end. Nothing else on {pool.name} is written to.",
        takes=f"about {_minutes(begin)} in the background; shares and programs are slower meanwhile",
        findings=findings.all(),
        claims=(f"benchmark:{run}",),
    )


def member_links(pool: Pool) -> tuple[DiskLink, ...]:
    """The members that hold data, by their links; one that has another name is not read alone."""
    members = (leaf for vdev in pool.vdevs if vdev.role == "data" for leaf in leaves(vdev))
    return tuple(
        leaf.path for leaf in members if leaf.path and leaf.state == "ONLINE" and _LINK.search(leaf.path)
    )


def _ready(name: str, inventory: Inventory, findings: Findings) -> Pool:
    pool = quiet_pool(name, inventory, findings)
    if pool.readonly:
        findings.error("read-only", "name", f"{pool.name} is imported read-only.")
    _check_name_free(pool, inventory, findings)
    root = inventory.dataset(pool.name)
    if root is not None and root.value("keystatus") == "unavailable":
        message = f"{pool.name} is locked, and so would be a dataset in it. Load its key first."
        findings.error("locked", "name", message)
    findings.refuse_on_error()
    return pool


def _check_name_free(pool: Pool, inventory: Inventory, findings: Findings) -> None:
    """What a benchmark left is destroyed before the next one; anything else of that name never is."""
    name = dataset_of(pool.name)
    there = next((one for one in inventory.keeping if one.name == name), None)
    if there is None:
        return
    mark = there.properties.get(MADE_BY_BENCHMARK)
    if mark is not None and (mark.value, mark.source) == ("on", "local"):
        return
    message = (
        f"There is a dataset {name} that no benchmark made. It is in no list here, and a benchmark needs its "
        f"name. Give it another one in a root shell: zfs rename {name} {pool.name}/NAME"
    )
    findings.error("in-the-way", "name", message)


def _size(request: BenchmarkPool, inventory: Inventory, findings: Findings) -> int:
    root = inventory.dataset(request.name)
    free = root.number("available") if root is not None else 0
    if request.size_bytes is None:
        if free // _MOST_SHARE < LEAST_BYTES:
            message = (
                f"{request.name} has {free // _MIB} MiB free; a benchmark needs twice its 64 MiB at least."
            )
            findings.refuse("too-full", "name", message)
        return max(LEAST_BYTES, min(_USUAL_BYTES, free // _USUAL_SHARE) // _MIB * _MIB)
    if request.size_bytes > free // _MOST_SHARE:
        most = free // _MOST_SHARE // _MIB
        message = f"At most half of the free space may be used: {most} MiB."
        findings.error("too-large", "size_bytes", message)
    return request.size_bytes


def _minutes(begin: StartBenchmark) -> str:
    seconds = len(begin.disks) * len(PLACES) * DISK_S
    for part in parts(begin.profile, begin.size_bytes, begin.clients):
        by_size = (part.bytes or 0) / _GUESSED_BYTES_PER_S
        seconds += round(min(by_size or READS_S, part.seconds or by_size or LASTS_S))
    minutes = max(1, round(seconds / 60))
    return "a minute" if minutes == 1 else f"{minutes} minutes"


def remember(request: BenchmarkPool, inventory: Inventory, _actor: str) -> None:
    """Keep what the machine is like now; the result is added at its end (`pools.benchmark.following`)."""
    pool = inventory.pool(request.name)
    if pool is not None:
        last = cast("BenchmarkFound | None", inventory.answers.get(QUESTION))
        keep_last(pool.guid, last.benchmark if last is not None else None)
        BenchmarkRow.objects.create(
            pool_guid=pool.guid, pool_name=pool.name, begun_at=timezone.now(),
            state=msgspec.to_builtins(machine_state(pool, inventory)),
        )  # fmt: skip
    questions.forget(QUESTION)
