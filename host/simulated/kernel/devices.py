"""Counters of disks, ports and memory modules."""

from __future__ import annotations

from host.simulated.kernel.moving import swinging, up
from host.simulated.state import Machine

_READ_SECTORS_PER_S, _WRITTEN_SECTORS_PER_S = 9_000, 4_000
_SECTORS_OF_A_REQUEST = 64
_MS_OF_A_REQUEST = 4


def diskstats(machine: Machine) -> str:
    """/proc/diskstats. Disks of pools are read and written, more at times; the others are left alone."""
    begun = {
        str(pool.guid): pool.datasets[name].created
        for name, pool in machine.pools.items()
        if name in pool.datasets
    }
    lines = []
    for number, disk in enumerate(machine.present()):
        ages = {
            part.number: machine.now() - begun[part.content.uuid]
            for part in disk.partitions
            if part.content and part.content.pool_state == "active" and part.content.uuid in begun
        }
        moved = swinging(min(up(machine), max(ages.values(), default=0.0)), number)
        row = _row(moved, machine.slow_ms.get(disk.serial, _MS_OF_A_REQUEST))
        lines.append(f"   8 {16 * number:>7} {disk.kname} {row}")
        lines += [f"   8 {16 * number + part:>7} {disk.partition_name(part)} {row}" for part in ages]
    return "".join(f"{line}\n" for line in lines)


def _row(moved: float, ms: float) -> str:
    read, written = int(moved * _READ_SECTORS_PER_S), int(moved * _WRITTEN_SECTORS_PER_S)
    reads, writes = read // _SECTORS_OF_A_REQUEST, written // _SECTORS_OF_A_REQUEST
    busy = int((reads + writes) * ms)
    return (
        f"{reads} 0 {read} {int(reads * ms)} {writes} 0 {written} {int(writes * ms)} 0 {busy // 2} {busy}"
        " 0 0 0 0 0 0"
    )


def net_dev(machine: Machine) -> str:
    """/proc/net/dev."""
    head = (
        "Inter-|   Receive                                                |  Transmit\n"
        " face |bytes    packets errs drop fifo frame compressed multicast"
        "|bytes    packets errs drop fifo colls carrier compressed\n"
    )
    lines = []
    for number, link in enumerate(machine.network.links):
        moved = swinging(up(machine), number) if link.carrier else 0.0
        received, sent = int(moved * 6_000_000), int(moved * 14_000_000)
        lines.append(
            f"{link.name:>6}: {received} {received // 1400} 0 0 0 0 0 0 {sent} {sent // 1400} 0 0 0 0 0 0\n"
        )
    return head + f"{'lo':>6}: 9000 90 0 0 0 0 0 0 9000 90 0 0 0 0 0 0\n" + "".join(lines)


def port_files(machine: Machine) -> dict[str, str]:
    """/sys/class/net/…: a port without a cable refuses to say its speed."""
    return {
        f"/sys/class/net/{link.name}/speed": f"{link.mbit}\n" if link.carrier else ""
        for link in machine.network.links
    }


def nvme_files(machine: Machine) -> dict[str, str]:
    """/sys/class/nvme/…: drives of PCI Express 3.0 with four lanes, or as few as a slower link has."""
    found: dict[str, str] = {}
    for number, disk in enumerate(one for one in machine.present() if one.transport == "nvme"):
        lanes = 4 if disk.smart is None or disk.smart.link_mbit is None else disk.smart.link_mbit // 7800
        folder = f"/sys/class/nvme/nvme{number}"
        found |= {
            f"{folder}/serial": f"{disk.serial:<20}\n",
            f"{folder}/device/current_link_speed": "8.0 GT/s PCIe\n",
            f"{folder}/device/max_link_speed": "8.0 GT/s PCIe\n",
            f"{folder}/device/current_link_width": f"{max(lanes, 1)}\n",
            f"{folder}/device/max_link_width": "4\n",
        }
    return found


def memory_files(machine: Machine) -> dict[str, str]:
    """/sys/devices/system/edac/mc/…: two modules a controller."""
    found: dict[str, str] = {}
    for controller in range(machine.ecc_controllers):
        for module in range(2):
            folder = f"/sys/devices/system/edac/mc/mc{controller}/dimm{module}"
            label = f"DIMM_{'AB'[controller % 2]}{module + 1}"
            found |= {
                f"{folder}/dimm_label": f"{label}\n",
                f"{folder}/dimm_ce_count": f"{machine.corrected_errors.get(label, 0)}\n",
                f"{folder}/dimm_ue_count": f"{machine.uncorrected_errors.get(label, 0)}\n",
            }
    return found
