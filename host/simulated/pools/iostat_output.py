"""`zpool iostat -gvlyHp` of a simulated pool: what a scan reads, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator

from host.base import Result
from host.commands.pools.care import ZpoolIostat
from host.simulated.datasets.space import allocated, sizes
from host.simulated.handlers import on
from host.simulated.pools.clock import LEAF_BYTES_PER_S
from host.simulated.refusal import Refusal, done
from host.simulated.state import Machine, Pool, Vdev
from host.simulated.vdevs import GHOSTS, leaves, space

_REQUEST_BYTES = 1 << 20
_DISK_NS, _WAIT_NS = 6_500_000, 21_000_000
_WAITS = 11  # columns


def zpool_iostat(machine: Machine, command: ZpoolIostat) -> Result:
    """One line for the pool, then one for each vdev and leaf by guid."""
    pool = machine.pools.get(command.name)
    if pool is None:
        raise Refusal(f"cannot open '{command.name}': no such pool\n")
    size, taken = sizes(pool)
    vdevs = [vdev for vdev in pool.vdevs if vdev.kind != "hole" and vdev.role != "spare"]
    lines = [_line(pool.name, (taken, size - taken), sum(_reads(pool, vdev) for vdev in vdevs))]
    for vdev in vdevs:
        lines += _tree(pool, vdev, top=True)
    return done("".join(lines))


def _tree(pool: Pool, vdev: Vdev, *, top: bool) -> Iterator[str]:
    room = 0, 0
    if top and vdev.role != "cache" and vdev.kind not in GHOSTS:
        raw, taken = space(vdev, pool).raw, allocated(pool).get(vdev.guid, 0)
        room = taken, raw - taken
    yield _line(str(vdev.guid), room, _reads(pool, vdev))
    for child in vdev.children:
        yield from _tree(pool, child, top=False)


def _reads(pool: Pool, vdev: Vdev) -> int:
    """Bytes a second that a running scan reads below `vdev`."""
    running = pool.scan is not None and pool.scan.state == "SCANNING" and not pool.scan.paused
    if not running or vdev.role != "data":
        return 0
    return LEAF_BYTES_PER_S * sum(leaf.state == "ONLINE" and not leaf.stale for leaf in leaves(vdev))


def _line(name: str, room: tuple[int, int], read: int) -> str:
    columns = [name, *map(str, room)]
    columns += [str(read // _REQUEST_BYTES), "0", str(read), "0"]
    waits = ["-"] * _WAITS
    if read:
        waits[0], waits[2], waits[8] = str(_DISK_NS + _WAIT_NS), str(_DISK_NS), str(_WAIT_NS)
    return "\t".join([*columns, *waits]) + "\n"


HANDLERS = on(ZpoolIostat, zpool_iostat)
