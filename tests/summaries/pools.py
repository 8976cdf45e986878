"""Examples of plans on whole pools, their members, their care and its schedules."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import msgspec

from host.inventory import (
    Checkpoint,
    Disk,
    Filling,
    ImportableVdev,
    ImportLoss,
    Inventory,
    Pool,
    Removal,
    Scan,
)
from jobs.plan import Plan
from jobs.schedules import change, delete
from pools import create_pool, destroy_pool
from pools.benchmark import start as benchmark
from pools.benchmark import stop as stop_benchmark
from pools.care import checkpoint, initialize, schedule, scrub, trim, upgrade
from pools.create_pool import CreatePool, NewVdev
from pools.dedup import start as estimate_dedup
from pools.dedup import stop as stop_dedup
from pools.members import add, attach, clear, detach, expand, offline, online, remove, replace
from pools.metadata import start as count_blocks
from pools.metadata import stop as stop_counting
from pools.travel import export_pool, import_pool, relink_pool
from tests import made
from tests.pools.importable import DISKS, GUID, machine, unimported
from tests.summaries.pool_cases import (
    A2,
    A3,
    A7,
    ALONE,
    COUNTING,
    EXPANDABLE,
    GOING,
    MEASURING,
    MIRRORS,
    NEW,
    SIX,
    SPARE,
    TANK,
    Examples,
    beside,
    counting,
    emptied,
    estimating,
    failed,
    grown,
    helper,
    ids,
    lost,
    measuring,
    pool_with,
    scheduled,
    shared,
    ssds,
    suspended,
    under,
    with_leaf,
    with_pool,
    with_spare,
    wrong_link,
)


def _create(*vdevs: NewVdev, disks: tuple[Disk, ...] = SIX, **more: Any) -> Callable[[], Plan]:
    return partial(create_pool.plan, CreatePool(name="tank", vdevs=vdevs, **more), made.inventory(*disks))


def _add(inventory: Inventory, *vdevs: NewVdev) -> Callable[[], Plan]:
    return partial(add.plan, add.AddVdevs(name="tank", vdevs=vdevs, confirm="tank"), inventory)


def _import(inventory: Inventory, **request: Any) -> Callable[[], Plan]:
    return partial(import_pool.plan, import_pool.ImportPool(guid=GUID, **request), inventory)


RUNNING = Filling(state="ACTIVE", done_bytes=1, total_bytes=9)
SCRUBBING = Scan(function="SCRUB", state="SCANNING", percent=40.2)
DONE = Scan(
    function="SCRUB", state="FINISHED", started="2026-11-01T02:00:00+00:00",
    finished="2026-11-01T09:10:00+00:00",
)  # fmt: skip
OLD_ONES = (made.with_file_system(1), made.with_file_system(2))
DEGRADED_OLD = unimported(
    ImportableVdev(
        name="mirror-0", role="data", state="DEGRADED",
        children=(
            ImportableVdev(name=f"{DISKS[0].id}-part1", role="data", state="ONLINE"),
            ImportableVdev(name="123456", role="data", state="UNAVAIL"),
        ),
    ),
    state="DEGRADED", used_here=True,
)  # fmt: skip
LOGLESS = unimported(
    ImportableVdev(name=f"{DISKS[0].id}-part1", role="data", state="ONLINE"),
    ImportableVdev(name="99887766", role="log", state="UNAVAIL"),
)
LOSSES = {GUID: ImportLoss(needed=True, seconds=12, back_to=None, refused=None)}


def _one_pool(pool: Pool) -> Inventory:
    return made.inventory(pools=(pool,), datasets=(made.dataset("tank"),))


EXAMPLES: dict[str, Examples] = {
    "pool.create": (
        _create(NewVdev(layout="raidz2", disks=ids(*SIX))),
        _create(
            NewVdev(layout="mirror", disks=ids(*SIX[:2])),
            NewVdev(layout="mirror", disks=ids(*SIX[2:4])),
            NewVdev(role="cache", layout="stripe", disks=ids(SIX[4])),
            NewVdev(role="spare", layout="stripe", disks=ids(SIX[5])),
            disks=(*OLD_ONES, *SIX[2:]),
            passphrase="secret:" + "a" * 32,
        ),
        _create(NewVdev(layout="stripe", disks=ids(SIX[0])), disks=(OLD_ONES[0],)),
    ),
    "pool.destroy": (
        partial(destroy_pool.plan, destroy_pool.DestroyPool(name="tank"), shared(TANK)),
        partial(destroy_pool.plan, destroy_pool.DestroyPool(name="tank"), _one_pool(made.pool())),
    ),
    "pool.add": (
        _add(beside(MIRRORS, *SIX[4:]), NewVdev(layout="mirror", disks=ids(*SIX[4:]))),
        _add(beside(TANK, NEW), NewVdev(role="spare", layout="stripe", disks=ids(NEW))),
        _add(beside(TANK, NEW), NewVdev(layout="stripe", disks=ids(NEW))),
        _add(
            beside(TANK, *(made.with_file_system(number) for number in range(11, 17))),
            NewVdev(layout="raidz2", disks=ids(*(made.disk(number) for number in range(11, 17)))),
        ),
    ),
    "pool.attach": (
        partial(
            attach.plan,
            attach.AttachDisk(name="tank", vdev=ALONE.pools[0].vdevs[0].guid, disk=made.disk(2).id),
            ALONE,
        ),
        partial(
            attach.plan,
            attach.AttachDisk(name="tank", vdev="8mirror-0", disk=NEW.id),
            beside(MIRRORS, made.with_file_system(9)),
        ),
        partial(
            attach.plan,
            attach.AttachDisk(name="tank", vdev="8raidz1-0", disk=NEW.id),
            beside(EXPANDABLE, NEW),
        ),
    ),
    "pool.detach": (
        partial(detach.plan, detach.DetachMember(name="tank", vdev=A2, confirm=A2), MIRRORS),
        partial(detach.plan, detach.DetachMember(name="tank", vdev=A2), under("spare")),
        partial(detach.plan, detach.DetachMember(name="tank", vdev=A7), under("spare")),
        partial(detach.plan, detach.DetachMember(name="tank", vdev=A7), under("replacing")),
        partial(detach.plan, detach.DetachMember(name="tank", vdev=A2), under("replacing")),
    ),
    "pool.replace": (
        partial(
            replace.plan, replace.ReplaceMember(name="tank", vdev=A2, disk=NEW.id), beside(failed(), NEW)
        ),
        partial(replace.plan, replace.ReplaceMember(name="tank", vdev=A3, disk=NEW.id), lost()),
        partial(
            replace.plan,
            replace.ReplaceMember(name="tank", vdev=A2, disk=NEW.id, confirm=A2),
            beside(MIRRORS, made.with_file_system(9)),
        ),
        partial(
            replace.plan, replace.ReplaceMember(name="tank", vdev=A2, disk=SPARE.id), with_spare(failed())
        ),
    ),
    "pool.offline": (
        partial(offline.plan, offline.OfflineMember(name="tank", vdev=A2), TANK),
        partial(offline.plan, offline.OfflineMember(name="tank", vdev=A2, confirm=A2), MIRRORS),
    ),
    "pool.online": (
        partial(
            online.plan,
            online.OnlineMember(name="tank", vdev=A2),
            with_pool(TANK, vdevs=(with_leaf(TANK.pools[0].vdevs[0], 1, state="OFFLINE"),)),
        ),
    ),
    "pool.remove": (
        partial(remove.plan, remove.RemoveVdev(name="tank", vdev="8mirror-1"), emptied()),
        partial(remove.plan, remove.RemoveVdev(name="tank", vdev=A7), with_spare(TANK)),
        partial(remove.plan, remove.RemoveVdev(name="tank", vdev=A7), helper("log")),
        partial(remove.plan, remove.RemoveVdev(name="tank", vdev=A7), helper("cache")),
        partial(
            remove.plan,
            remove.RemoveVdev(name="tank", cancel=True),
            with_pool(MIRRORS, removal=Removal(state="SCANNING", vdev="mirror-1")),
        ),
    ),
    "pool.expand": (partial(expand.plan, expand.ExpandPool(name="tank"), grown()),),
    "pool.clear": (
        partial(clear.plan, clear.ClearPool(name="tank", vdev=A2), failed()),
        partial(clear.plan, clear.ClearPool(name="tank"), TANK),
        partial(clear.plan, clear.ClearPool(name="tank"), suspended()),
    ),
    "pool.export": (
        partial(export_pool.plan, export_pool.ExportPool(name="tank"), shared(TANK)),
        partial(export_pool.plan, export_pool.ExportPool(name="tank"), TANK),
    ),
    "pool.import": (
        _import(machine(unimported(used_here=True))),
        _import(machine(unimported()), new_name="attic"),
        _import(machine(DEGRADED_OLD)),
        _import(machine(unimported()), readonly=True, altroot="/mnt/look"),
        _import(machine(unimported(destroyed=True, used_here=True)), destroyed=True),
        _import(machine(unimported(state="FAULTED"), losses=LOSSES), rewind=True),
        _import(machine(unimported(used_here=True)), to_checkpoint=True, unmounted=True),
        _import(machine(LOGLESS), missing_log=True),
    ),
    "pool.relink": (partial(relink_pool.plan, relink_pool.RelinkPool(name="tank"), wrong_link()),),
    "pool.benchmark": (
        partial(benchmark.plan, benchmark.BenchmarkPool(name="tank"), measuring(None)),
        partial(
            benchmark.plan,
            benchmark.BenchmarkPool(name="tank", profile="small-files", disks=False),
            measuring(None),
        ),
    ),
    "pool.stop-benchmark": (
        partial(stop_benchmark.plan, stop_benchmark.StopBenchmark(name="tank"), measuring(MEASURING)),
    ),
    "pool.estimate-dedup": (
        partial(estimate_dedup.plan, estimate_dedup.EstimateDeduplication(name="tank"), estimating(None)),
    ),
    "pool.stop-dedup-estimate": (
        partial(stop_dedup.plan, stop_dedup.StopDedupEstimate(name="tank"), estimating(GOING)),
    ),
    "pool.count-blocks": (
        partial(count_blocks.plan, count_blocks.CountBlocksOfPool(name="tank"), counting(None)),
    ),
    "pool.stop-counting-blocks": (
        partial(stop_counting.plan, stop_counting.StopCountingBlocks(name="tank"), counting(COUNTING)),
    ),
    "pool.scrub": (
        partial(scrub.plan, scrub.ScrubPool(name="tank"), TANK),
        partial(scrub.plan, scrub.ScrubPool(name="tank"), with_pool(ALONE, scan=DONE)),
        partial(
            scrub.plan,
            scrub.ScrubPool(name="tank"),
            pool_with(scan=msgspec.structs.replace(SCRUBBING, paused="2026-11-21T12:00:00+00:00")),
        ),
        partial(scrub.plan, scrub.ScrubPool(name="tank", action="pause"), pool_with(scan=SCRUBBING)),
        partial(scrub.plan, scrub.ScrubPool(name="tank", action="stop"), pool_with(scan=SCRUBBING)),
    ),
    "pool.trim": (
        partial(trim.plan, trim.TrimPool(name="tank"), ssds()),
        partial(trim.plan, trim.TrimPool(name="tank", action="suspend"), ssds(trim=RUNNING)),
        partial(trim.plan, trim.TrimPool(name="tank", action="cancel"), ssds(trim=RUNNING)),
    ),
    "pool.initialize": (
        partial(initialize.plan, initialize.InitializePool(name="tank"), ssds()),
        partial(
            initialize.plan,
            initialize.InitializePool(name="tank", action="suspend"),
            ssds(initialize=RUNNING),
        ),
        partial(
            initialize.plan, initialize.InitializePool(name="tank", action="cancel"), ssds(initialize=RUNNING)
        ),
    ),
    "pool.upgrade": (
        partial(
            upgrade.plan,
            upgrade.UpgradePool(name="tank"),
            pool_with(properties={"feature@blake3": "disabled", "feature@raidz_expansion": "disabled"}),
        ),
    ),
    "pool.checkpoint": (
        partial(checkpoint.plan, checkpoint.CheckpointPool(name="tank"), TANK),
        partial(
            checkpoint.plan,
            checkpoint.CheckpointPool(name="tank", action="discard"),
            pool_with(
                checkpoint=Checkpoint(state="EXISTS", taken="2026-11-20T10:00:00+00:00", size_bytes=5 << 30)
            ),
        ),
    ),
    "pool.schedule": (
        partial(schedule.plan, schedule.ScheduleCare(pool="tank", time_zone="Europe/Berlin"), TANK),
        partial(
            schedule.plan,
            schedule.ScheduleCare(pool="tank", kind="trim", cron="30 3 1 */3 *", missed="skip"),
            ssds(),
        ),
    ),
    "schedule.change": (
        partial(
            change.plan,
            change.ChangeSchedule(id=1, cron="0 2 * * sun", missed="skip", longest_age_days=14),
            scheduled(),
        ),
        partial(change.plan, change.ChangeSchedule(id=1, enabled=False), scheduled()),
    ),
    "schedule.delete": (
        partial(delete.plan, delete.DeleteSchedule(id=1), scheduled()),
        partial(delete.plan, delete.DeleteSchedule(id=1), scheduled("pool.trim")),
    ),
}
