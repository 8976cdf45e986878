"""Counters of processors, memory, ZFS's cache and the NFS server."""

from __future__ import annotations

import math

from host.simulated.kernel.moving import swinging, up
from host.simulated.state import Machine

_HZ = 100  # ticks a second
_PROCESSORS = 4


def uptime(machine: Machine) -> str:
    """/proc/uptime."""
    seconds = up(machine)
    return f"{seconds:.2f} {seconds * _PROCESSORS * 0.9:.2f}\n"


def stat(machine: Machine) -> str:
    """/proc/stat, its lines that are read here."""
    ticks = up(machine) * _HZ * _PROCESSORS
    moved = swinging(up(machine)) * _HZ * _PROCESSORS
    user, system, iowait = int(moved * 0.05), int(moved * 0.03), int(moved * 0.01)
    idle = max(int(ticks) - user - system - iowait, 0)
    return f"cpu  {user} 0 {system} {idle} {iowait} 0 0 0 0 0\nbtime {int(machine.booted)}\nprocesses 2915\n"


def loadavg(machine: Machine) -> str:
    """/proc/loadavg."""
    one = 0.4 + 0.3 * math.sin(up(machine) / 60)
    return f"{one:.2f} 0.40 0.40 1/231 2915\n"


def meminfo(machine: Machine) -> str:
    """/proc/meminfo."""
    shares = (
        ("MemTotal", 100), ("MemFree", 62), ("MemAvailable", 71), ("Buffers", 2), ("Cached", 9),
        ("SwapCached", 0), ("Active", 8), ("Inactive", 6), ("SwapTotal", 20), ("SwapFree", 20),
        ("SReclaimable", 1), ("SUnreclaim", 4),
    )  # fmt: skip
    return "".join(f"{name + ':':<16}{machine.memory_kib * share // 100:>8} kB\n" for name, share in shares)


def pressure(machine: Machine, share: float) -> str:
    """/proc/pressure/…, where something waits for `share` of the time."""
    total = int(swinging(up(machine)) * share * 1e6)
    line = f"avg10={100 * share:.2f} avg60={100 * share:.2f} avg300={100 * share:.2f}"
    return f"some {line} total={total}\nfull {line} total={total // 2}\n"


def arcstats(machine: Machine) -> str:
    """/proc/spl/kstat/zfs/arcstats: a cache that grows once there is a pool."""
    moved = swinging(up(machine), 1) if machine.pools else 0.0
    bounds = machine.memory.bounds(machine.memory_kib << 10)
    target = max(bounds.max_bytes * 2 // 5, bounds.min_bytes)
    size = min(int(moved * 2_000_000), target)
    rows = {
        "demand_data_hits": int(moved * 180), "demand_data_iohits": int(moved),
        "demand_data_misses": int(moved * 12), "demand_metadata_hits": int(moved * 240),
        "demand_metadata_iohits": 0, "demand_metadata_misses": int(moved * 4),
        "prefetch_data_hits": int(moved * 9), "prefetch_data_iohits": int(moved * 3),
        "prefetch_data_misses": int(moved * 20), "prefetch_metadata_hits": int(moved * 3),
        "prefetch_metadata_iohits": 0, "prefetch_metadata_misses": int(moved),
        "mru_ghost_hits": int(moved * 0.5), "mfu_ghost_hits": int(moved * 0.2),
        "size": size, "c": target, "c_min": bounds.min_bytes, "c_max": bounds.max_bytes,
        "arc_meta_used": size // 8, "l2_hits": 0, "l2_misses": 0, "l2_size": 0,
    }  # fmt: skip
    body = "".join(f"{name:<31} 4    {value}\n" for name, value in rows.items())
    head = f"9 1 0x01 147 39984 4012345678 {int(up(machine) * 1e9)}\n"
    return f"{head}name                            type data\n{body}"


def nfsd(machine: Machine) -> str:
    """/proc/net/rpc/nfsd; nothing where no folder was ever exported."""
    if not machine.exported:
        return ""
    moved = swinging(up(machine), 2)
    return f"rc 0 0 {int(moved)}\nfh 0 0 0 0 0\nio {int(moved * 900_000)} {int(moved * 300_000)}\n"


def cpu_temperature(machine: Machine) -> str:
    """/sys/class/hwmon/…/temp1_input, in thousandths of a degree."""
    return f"{int(44_000 + 4_000 * math.sin(up(machine) / 300))}\n"
