"""zpool export and zpool import on simulated pools: what is not imported lasts as long as its labels do."""

from __future__ import annotations

import time
from datetime import UTC, datetime

import msgspec

from host import typed
from host.base import Result
from host.commands.pools.importing import ZpoolExport, ZpoolImport, ZpoolImportable, ZpoolImportLoss
from host.simulated.blocks.devices import Device, each
from host.simulated.datasets.values import mountpoint, unmount_all
from host.simulated.handlers import on
from host.simulated.pools import events
from host.simulated.pools.clock import scanned, start_scan
from host.simulated.pools.import_output import show
from host.simulated.pools.lifecycle import release
from host.simulated.pools.tree import device_of, opened
from host.simulated.refusal import Refusal, done
from host.simulated.state import Dataset, Machine, Pool
from host.simulated.vdevs import all_leaves, root_health

_UNAVAILABLE = "one or more devices is currently unavailable"


def export(machine: Machine, command: ZpoolExport) -> Result:
    """zpool export: first unmount everything, then let the disks go."""
    pool = opened(machine, command.name, f"cannot export '{command.name}'")
    for dataset in pool.datasets.values():
        if dataset.busy:
            where = mountpoint(machine, dataset)
            raise Refusal(f"cannot unmount '{where}': pool or dataset is busy\n")
    let_go(machine, pool)
    return done()


def let_go(machine: Machine, pool: Pool) -> None:
    """As if it had been exported."""
    unmount_all(pool)
    if pool.scan:
        pool.scan.done = scanned(pool, pool.scan, time.time())
    for name in ("altroot", "cachefile"):  # they are not on the disks
        pool.values.pop(name, None)
    pool.readonly = False
    release(machine, pool, left="exported")
    if pool.borrowed is not None:
        # Nothing was written to its disks: they say what they said before.
        machine.away[machine.away.index(pool)] = pool.borrowed
        for device in each(machine):
            if device.content is not None and device.content.uuid == str(pool.guid):
                device.content.label = pool.borrowed.name


def importable(machine: Machine, command: ZpoolImportable) -> Result:
    """zpool import, with or without -D."""
    found = [view for pool in machine.away if (view := _view(machine, pool, destroyed=command.destroyed))]
    if not found:
        return done(stderr="no pools available to import\n")
    return done("\n".join(show(pool) for pool in sorted(found, key=lambda pool: pool.name)))


def import_loss(machine: Machine, command: ZpoolImportLoss) -> Result:
    """zpool import -F -n: what a rewind would give up. A pool that needs none is imported."""
    pool = _wanted(machine, command.guid, destroyed=False)
    _check_host(machine, pool, f"cannot import '{pool.name}'", force=command.force)
    if pool.torn_s:
        raise Refusal(
            "",
            stdout=f"Would be able to return {pool.name} to its state as of "
            f"{_date(time.time() - pool.torn_s)}.\n"
            f"Would discard approximately {_length(pool.torn_s)} of transactions.\n",
        )
    on_disks = next(one for one in machine.away if one.guid == pool.guid)
    attempt = ZpoolImport(
        guid=command.guid,
        new_name=command.name,
        readonly=True,
        force=command.force,
    )
    take_in(machine, attempt)
    looked_at = machine.pools[command.name]
    looked_at.values["cachefile"] = "none"
    looked_at.borrowed = on_disks
    return done()


def take_in(machine: Machine, command: ZpoolImport) -> Result:
    """zpool import of one pool, with its checks in its order."""
    pool = _wanted(machine, command.guid, destroyed=command.destroyed)
    failing = f"cannot import '{pool.name}'"
    _check_host(machine, pool, failing, force=command.force)
    name = command.new_name or pool.name
    if command.new_name:
        failing = f"{failing} as '{command.new_name}'"
    if name in machine.pools:
        raise Refusal(f"{failing}: pool already exists\n")
    _check_devices(machine, pool, command, failing)
    said = _rewind(pool, command, failing)
    machine.away.remove(next(one for one in machine.away if one.guid == pool.guid))
    _rename(pool, name)
    machine.pools[name] = pool
    events.change(machine, pool, "pool_import")
    _label(machine, pool)
    pool.left, pool.host, pool.torn_s = None, None, 0
    pool.load_guid, pool.readonly = machine.number(), command.readonly
    pool.foreign = pool.foreign and command.readonly  # nothing is written to its labels
    if command.altroot is not None:
        pool.values |= {"altroot": command.altroot, "cachefile": "none"}
    _catch_up(machine, pool)
    return done(said)


def _check_host(machine: Machine, pool: Pool, failing: str, *, force: bool) -> None:
    if pool.host is not None and not force:
        last = f"Last accessed by {pool.host} (hostid=7f0101) at {_date(machine.booted)}\n"
        advice = "The pool can be imported, use 'zpool import -f' to import the pool.\n"
        raise Refusal(f"{failing}: pool was previously in use from another system.\n{last}{advice}")


def _wanted(machine: Machine, guid: str, *, destroyed: bool) -> Pool:
    for pool in machine.away:
        if str(pool.guid) == guid and (view := _view(machine, pool, destroyed=destroyed)):
            return view
    if any(str(pool.guid) == guid for pool in machine.pools.values()):
        there = "a pool with that name is already created/imported"
        text = f"{there},\nand no additional pools with that name were found"
        raise Refusal(f"cannot import '{guid}': {text}\n")
    raise Refusal(f"cannot import '{guid}': no such pool available\n")


def _view(machine: Machine, pool: Pool, *, destroyed: bool) -> Pool | None:
    """The pool as its labels describe it now, a copy. None without any label, or for the other kind."""
    if (pool.left == "destroyed") is not destroyed:
        return None
    view = typed.decode(msgspec.json.encode(pool), Pool)
    found = 0
    for leaf in all_leaves(view):
        device = device_of(machine, view, leaf)
        if device is None:
            leaf.state = "OFFLINE" if leaf.state == "OFFLINE" else "UNAVAIL"
            continue
        found += leaf.role not in {"spare", "cache"}
        # A disk that was missing is behind; one that was set offline stays so.
        leaf.stale = leaf.stale or leaf.state in {"REMOVED", "UNAVAIL", "FAULTED"}
        leaf.state = "OFFLINE" if leaf.state == "OFFLINE" else "ONLINE"
        leaf.read_errors = leaf.write_errors = leaf.checksum_errors = 0
        leaf.path = _best_link(device)
    return view if found else None


def _best_link(device: Device) -> str:
    number = "" if device.partition is None else f"-part{device.partition.number}"
    return f"/dev/disk/by-id/{device.disk.ids[0]}{number}" if device.disk.ids else device.path


def _check_devices(machine: Machine, pool: Pool, command: ZpoolImport, failing: str) -> None:
    if root_health(pool).state == "UNAVAIL":
        raise Refusal(f"{failing}: {_UNAVAILABLE}\n")
    logs = [leaf for leaf in all_leaves(pool) if leaf.role == "log" and leaf.state == "UNAVAIL"]
    if logs and not command.missing_log:
        listed = "".join(f"\t    {leaf.path} [log]\n" for leaf in logs)
        text = "The devices below are missing or corrupted, use '-m' to import the pool anyway:\n"
        raise Refusal(f"{failing}: {_UNAVAILABLE}\n", stdout=f"{text}{listed}\n")


def _rewind(pool: Pool, command: ZpoolImport, failing: str) -> str:
    """Give up what has to be given up, if that was asked for; what zpool says of it."""
    if command.to_checkpoint:
        if pool.checkpoint is None:
            raise Refusal(f"{failing}: checkpoint does not exist\n")
        pool.datasets, pool.values = pool.checkpoint.datasets, pool.checkpoint.values
        pool.checkpoint = None
    if not pool.torn_s:
        return ""
    when, length = _date(time.time() - pool.torn_s), _length(pool.torn_s)
    if not command.rewind:
        raise Refusal(
            f"{failing}: I/O error\n\tRecovery is possible, but will result in some data loss.\n"
            f"\tReturning the pool to its state as of {when}\n\tshould correct the problem.  "
            f"Approximately {length} of data\n\tmust be discarded, irreversibly.  Recovery can be attempted\n"
            f"\tby executing 'zpool import -F {pool.name}'.  A scrub of the pool\n"
            "\tis strongly recommended after recovery.\n"
        )
    return (
        f"Pool {pool.name} returned to its state as of {when}.\n"
        f"Discarded approximately {length} of transactions.\n"
    )


def _rename(pool: Pool, name: str) -> None:
    old, datasets = pool.name, dict[str, Dataset]()
    for dataset in pool.datasets.values():
        dataset.name = f"{name}{dataset.name.removeprefix(old)}"
        datasets[dataset.name] = dataset
    pool.name, pool.datasets = name, datasets


def _label(machine: Machine, pool: Pool) -> None:
    """Its members are active again; its spares and caches are held."""
    helpers = {leaf.serial for leaf in all_leaves(pool) if leaf.role in {"spare", "cache"}}
    for device in each(machine):
        content = device.content
        if content is None or device.disk.pulled:
            continue
        if content.uuid == str(pool.guid):
            content.label, content.pool_state, content.busy = pool.name, "active", True
        elif device.disk.serial in helpers and content.pool_state in {"spare", "cache"}:
            content.busy = True


def _catch_up(machine: Machine, pool: Pool) -> None:
    if pool.scan and pool.scan.state == "SCANNING":
        pool.scan.since = time.time()
    if any(leaf.stale and leaf.state == "ONLINE" for leaf in all_leaves(pool)):
        start_scan(machine, pool, "RESILVER")


def _date(moment: float) -> str:
    return datetime.fromtimestamp(moment, UTC).strftime("%c")


def _length(seconds: int) -> str:
    return f"{seconds // 60} minutes" if seconds > 120 else f"{seconds} seconds"


HANDLERS = (
    on(ZpoolImportable, importable)
    | on(ZpoolExport, export)
    | on(ZpoolImport, take_in)
    | on(ZpoolImportLoss, import_loss)
)
