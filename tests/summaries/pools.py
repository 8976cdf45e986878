"""Examples of plans on whole pools, their members, their care and its schedules."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import msgspec

from host.inventory import (
    Absent,
    Checkpoint,
    Dataset,
    Disk,
    Filling,
    ImportableVdev,
    ImportLoss,
    Inventory,
    NfsShare,
    Pool,
    Removal,
    Scan,
    Schedule,
    Sharing,
    SmbShare,
    Vdev,
    leaves,
)
from jobs.plan import Plan
from jobs.schedules import change, delete
from pools import create_pool, destroy_pool
from pools.care import checkpoint, initialize, schedule, scrub, trim, upgrade
from pools.create_pool import CreatePool, NewVdev
from pools.members import add, attach, clear, detach, expand, offline, online, remove, replace
from pools.members.newcomer import partition_bytes
from pools.travel import export_pool, import_pool, relink_pool
from tests import made
from tests.frontend import machines
from tests.pools.importable import DISKS, GUID, machine, unimported

type Examples = tuple[Callable[[], Plan], ...]

MEMBER_BYTES = partition_bytes(made.disk(1))
SIX = tuple(made.disk(number) for number in range(1, 7))
NEW = made.disk(9)
SPARE = machines.in_pool(made.disk(7), "tank")


def ids(*disks: Disk) -> tuple[str, ...]:
    return tuple(disk.id for disk in disks)


def with_pool(inventory: Inventory, **changes: Any) -> Inventory:
    """`inventory` whose pool is changed."""
    pool = msgspec.structs.replace(inventory.pools[0], **changes)
    return msgspec.structs.replace(inventory, pools=(pool,))


def with_leaf(top: Vdev, place: int, **changes: Any) -> Vdev:
    """`top` whose member at `place` is changed."""
    children = list(top.children)
    children[place] = msgspec.structs.replace(children[place], **changes)
    return msgspec.structs.replace(top, children=tuple(children))


def beside(inventory: Inventory, *disks: Disk, tops: tuple[Vdev, ...] = ()) -> Inventory:
    """`inventory` with more disks, and with more vdevs in its pool."""
    more = msgspec.structs.replace(inventory, disks=(*inventory.disks, *disks))
    return with_pool(more, vdevs=(*more.pools[0].vdevs, *tops))


def filled(inventory: Inventory) -> Inventory:
    """`inventory` whose pool has its sizes, and is three fifths full."""
    return with_pool(inventory, vdevs=tuple(map(_filled, inventory.pools[0].vdevs)))


def _filled(top: Vdev) -> Vdev:
    total = MEMBER_BYTES * (len(top.children) if top.kind == "raidz" else 1)
    children = tuple(msgspec.structs.replace(leaf, size_bytes=MEMBER_BYTES) for leaf in top.children)
    size = 0 if children else MEMBER_BYTES
    return msgspec.structs.replace(
        top, children=children, size_bytes=size, total_bytes=total, allocated_bytes=total * 3 // 5
    )


def shared(inventory: Inventory) -> Inventory:
    """`inventory` with two datasets more, which are shared."""
    photos, media = made.dataset("tank/photos", mounted="yes"), made.dataset("tank/media", mounted="yes")
    smb = tuple(
        SmbShare(id=number, name=name, guid=dataset.guid, dataset=dataset.name)
        for number, (name, dataset) in enumerate((("Photos", photos), ("Media", media)))
    )
    nfs = (NfsShare(id=1, guid=media.guid, dataset=media.name),)
    datasets: tuple[Dataset, ...] = (*inventory.datasets, photos, media)
    return msgspec.structs.replace(inventory, datasets=datasets, sharing=Sharing(smb=smb, nfs=nfs))


def lost() -> Inventory:
    """`tank` whose disk in bay A3 was pulled, and a blank one in bay A9."""
    inventory = beside(filled(machines.degraded()), NEW)
    gone = next(leaf for leaf in leaves(inventory.pools[0].vdevs[0]) if leaf.state == "REMOVED")
    absent = Absent(
        id=gone.link, serial="WD-0003", model="WDC WD30EFRX", since="2026-11-21T12:00:00Z", bay="A3"
    )
    return with_pool(msgspec.structs.replace(inventory, gone=(absent,)), scan=None)


def with_spare(inventory: Inventory) -> Inventory:
    """`inventory` whose pool has a spare in bay A7."""
    spare = machines.leaf(SPARE, role="spare", state="AVAIL")
    return beside(inventory, SPARE, tops=(spare,))


def failed() -> Inventory:
    """`tank` whose disk in bay A2 is faulted."""
    whole = filled(machines.tank())
    top = with_leaf(whole.pools[0].vdevs[0], 1, state="FAULTED", write_errors=31)
    return with_pool(whole, vdevs=(msgspec.structs.replace(top, state="DEGRADED"),), state="DEGRADED")


def under(kind: str, **second: Any) -> Inventory:
    """`tank` whose disk in bay A2 has one in bay A7 beside it, in a vdev of that kind."""
    whole = failed()
    top = whole.pools[0].vdevs[0]
    old = top.children[1]
    new = machines.leaf(SPARE, **second)
    node = Vdev(guid="5", name=f"{kind}-1", kind=kind, role="data", state="DEGRADED", children=(old, new))
    tops = [msgspec.structs.replace(top, children=(top.children[0], node, *top.children[2:]))]
    if kind == "spare":
        tops.append(machines.leaf(SPARE, role="spare", state="INUSE"))
    return with_pool(
        msgspec.structs.replace(whole, disks=(*whole.disks, SPARE)), vdevs=tuple(tops), state="DEGRADED"
    )


MIRRORS = filled(machines.tank(width=2, vdevs=2, layout="mirror"))
TANK = filled(machines.tank())
A2 = machines.leaf(made.disk(2)).guid
A3 = machines.leaf(made.disk(3)).guid
A7 = machines.leaf(SPARE).guid
ALONE = beside(
    made.inventory(
        machines.in_pool(made.disk(1), "tank"), pools=(made.pool(vdevs=(machines.leaf(made.disk(1)),)),)
    ),
    made.disk(2),
)
EXPANDABLE = with_pool(
    filled(machines.tank(width=4, layout="raidz1")), properties={"feature@raidz_expansion": "enabled"}
)


def helper(role: str) -> Inventory:
    """`tank` with a log or cache of its own in bay A7."""
    return beside(MIRRORS, SPARE, tops=(machines.leaf(SPARE, role=role),))


def emptied() -> Inventory:
    """Two mirrors of which one has room for the other."""
    tops = tuple(msgspec.structs.replace(top, allocated_bytes=400 << 30) for top in MIRRORS.pools[0].vdevs)
    return with_pool(MIRRORS, vdevs=tops, properties={"feature@device_removal": "enabled"})


def grown() -> Inventory:
    """Two mirrors of which one has larger disks now."""
    first, second = MIRRORS.pools[0].vdevs
    larger = tuple(msgspec.structs.replace(leaf, size_bytes=2 * MEMBER_BYTES) for leaf in first.children)
    first = msgspec.structs.replace(first, children=larger, expandable_bytes=MEMBER_BYTES)
    return with_pool(MIRRORS, vdevs=(first, second))


def suspended() -> Inventory:
    """`tank` of which two disks in three have left."""
    tops = machines.tank(width=3, layout="raidz1")
    top = with_leaf(with_leaf(tops.pools[0].vdevs[0], 0, disk=None), 1, state="REMOVED", disk=None)
    return with_pool(tops, vdevs=(top,), state="SUSPENDED")


def wrong_link() -> Inventory:
    """`tank` that knows one of its disks by a kernel name."""
    top = with_leaf(TANK.pools[0].vdevs[0], 2, path="/dev/sdc1", name="/dev/sdc1")
    return with_pool(shared(TANK), vdevs=(top,))


def ssds(**changes: Any) -> Inventory:
    """A mirror of two SSDs that can be trimmed and initialized."""
    pool = machines.tank(width=2, layout="mirror")
    top = pool.pools[0].vdevs[0]
    children = tuple(msgspec.structs.replace(leaf, trims=True, **changes) for leaf in top.children)
    return with_pool(pool, vdevs=(msgspec.structs.replace(top, children=children),))


def pool_with(**changes: Any) -> Inventory:
    return with_pool(TANK, **changes)


def scheduled(operation: str = "pool.scrub", **changes: Any) -> Inventory:
    """`tank` with a schedule."""
    values: dict[str, Any] = {"cron": "0 2 1-7 * sun", "time_zone": "Europe/Berlin", "missed": "run"}
    values |= {"enabled": True, "handled": "2026-11-01T02:00:00+00:00", "request": {"name": "tank"}}
    known = Schedule(id=1, operation=operation, subject=f"pool:{TANK.pools[0].guid}", **(values | changes))
    return msgspec.structs.replace(TANK, schedules=(known,))


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
