"""What runs now and takes a while: work of the kernel, of disks and of the console, one line each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from disks.links import disk_href
from disks.models import DiskRecord
from disks.records import burn_in_of
from frontend.arrays.view import array_lines
from frontend.jobs.progress import ProgressView, brief_views
from frontend.plans.view import job_row
from frontend.states import StateView, tone_view
from frontend.units import binary
from host.inventory import Disk, Inventory
from jobs.models import Job
from jobs.rights import User
from pools.links import array_href, pool_href

_PHASES = {"self-test": "long self-test", "write": "writing", "verify": "reading back", "done": "done"}


class Running(msgspec.Struct, frozen=True, kw_only=True):
    """One thing under way. `percent` is what the kernel or the disk says, None where nobody does."""

    title: str
    href: str
    state: StateView
    percent: float | None = None
    figures: str = ""
    left: str = ""


def running(inventory: Inventory | None, jobs: Sequence[Job], user: User) -> tuple[Running, ...]:
    """All that is under way: first what people started, then what pools, arrays and disks are busy with."""
    found = [_of_job(job, user) for job in jobs]
    if inventory is not None:
        found += _of_pools(inventory)
        found += _of_arrays(inventory)
        found += _of_the_copy(inventory)
        found += _of_disks(inventory)
    return tuple(found)


def _of_job(job: Job, user: User) -> Running:
    row, steps = job_row(job, user), list(job.steps.all())
    done = sum(step.state == "succeeded" for step in steps)
    figures = f"step {min(done + 1, len(steps))} of {len(steps)}" if steps else ""
    return Running(title=row.title, href=f"/jobs/{job.pk}/", state=row.state, figures=figures)


def _of_pools(inventory: Inventory) -> Iterator[Running]:
    for pool in inventory.pools:
        for one in brief_views(pool, inventory.as_of):
            yield _of_kernel(one, f"{one.title} · {pool.name}", pool_href(pool.name))


def _of_arrays(inventory: Inventory) -> Iterator[Running]:
    for line in array_lines(inventory):
        if line.progress is not None:
            yield _of_kernel(line.progress, line.progress.title, array_href(line.name))


def _of_kernel(one: ProgressView, title: str, href: str) -> Running:
    return Running(
        title=title, href=href, state=one.state, percent=one.percent, figures=one.figures, left=one.left
    )


def _of_the_copy(inventory: Inventory) -> Iterator[Running]:
    copy = inventory.boot.conversion
    if copy is not None and copy.running and copy.total_bytes:
        yield Running(
            title="Copying the system to a second disk", href="/boot/", state=tone_view("busy", "running"),
            percent=100 * copy.done_bytes / copy.total_bytes,
            figures=f"{binary(copy.done_bytes)} of {binary(copy.total_bytes)}",
        )  # fmt: skip


def _of_disks(inventory: Inventory) -> Iterator[Running]:
    for disk in inventory.disks:
        if disk.test_remaining_percent is not None:
            yield Running(
                title=f"Self-test · {_name(disk)}", href=disk_href(disk.id),
                state=tone_view("busy", "running"), percent=100 - disk.test_remaining_percent,
                figures=f"{100 - disk.test_remaining_percent} % done",
            )  # fmt: skip
    if not any(unit.kind == "burn-in" and unit.state == "running" for unit in inventory.units):
        return
    for record in DiskRecord.objects.filter(burn_in__isnull=False):
        report, found = burn_in_of(record), inventory.disk(record.last_id)
        if report is not None and report.verdict is None and found is not None:
            yield Running(
                title=f"Burn-in · {_name(found)}", href=disk_href(found.id),
                state=tone_view("busy", "running"),
                percent=report.percent, figures=f"{_PHASES[report.phase]}, {report.percent:.1f} %",
            )  # fmt: skip


def _name(disk: Disk) -> str:
    return f"bay {disk.bay}" if disk.bay else disk.serial or disk.id
