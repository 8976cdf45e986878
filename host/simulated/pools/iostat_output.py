"""`zpool iostat` of a simulated pool: what a scan reads, and how large ordinary requests were."""

from __future__ import annotations

from collections.abc import Iterator

from host.base import Result
from host.commands.pools.care import ReadRequestSizes, ZpoolIostat
from host.simulated.datasets.space import allocated, sizes
from host.simulated.handlers import on
from host.simulated.pools.clock import LEAF_BYTES_PER_S
from host.simulated.refusal import Refusal, done
from host.simulated.state import Machine, Pool, Vdev
from host.simulated.vdevs import GHOSTS, leaves, space

_REQUEST_BYTES = 1 << 20
_DISK_NS, _WAIT_NS = 6_500_000, 21_000_000
_WAITS = 11  # columns
_RECORD, _SIZES = 131072, 16


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


def request_sizes(machine: Machine, command: ReadRequestSizes) -> Result:
    """`-rHp`: a request for each record that its datasets hold, and as many small ones of metadata."""
    pool = machine.pools.get(command.name)
    if pool is None:
        raise Refusal("Unable to parse pools/vdevs list.\n\n")
    held = sum(one.data + sum(file.size for file in one.files) for one in pool.datasets.values())
    records = -(-held // _RECORD)
    counts = {4096: (records // 8, records), _RECORD: (records // 2, records)}
    lines = [f"\n{pool.name}\n"]
    for power in range(_SIZES):
        size = 512 << power
        read, written = counts.get(size, (0, 0))
        columns = [size, read, 0, 0, 0, 0, 0, written, *[0] * 7]
        lines.append("\t".join(map(str, columns)) + "\n")
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


HANDLERS = on(ZpoolIostat, zpool_iostat) | on(ReadRequestSizes, request_sizes)
