"""What is read from the kernel's files: of a real machine's texts, and of a simulated one's."""

from __future__ import annotations

from pathlib import Path

import pytest

from host.kernel.arc import Access, read_arc
from host.kernel.counters import Counters, read_counters
from host.kernel.disks import DiskCounters, parse_diskstats
from host.kernel.files import LocalKernelFiles
from host.kernel.memory_errors import MemoryErrors, read_memory_errors
from host.kernel.ports import PortCounters, read_ports
from host.kernel.system import (
    CpuTimes,
    Memory,
    read_cpu_temperature,
    read_cpu_times,
    read_memory,
    read_nfs_bytes,
    read_pressure,
)
from host.simulated.kernel import SimulatedKernelFiles
from tests.host.pool_bench import PoolBench

# As a Debian 13 machine with OpenZFS 2.3.9 has them, shortened.
TEXTS = {
    "/proc/stat": "cpu  2343403 123 133598 654731 4113 7 2070 2698 40 0\ncpu0 1164552 55 63853 339352\n",
    "/proc/meminfo": (
        "MemTotal:        8052512 kB\nMemFree:         3052512 kB\nMemAvailable:    5052512 kB\n"
        "SwapTotal:       1904000 kB\nSwapFree:        1903000 kB\nHugePages_Total:       0\n"
    ),
    "/proc/pressure/io": (
        "some avg10=0.00 avg60=0.00 avg300=0.04 total=96915680\n"
        "full avg10=0.00 avg60=0.00 avg300=0.00 total=32112004\n"
    ),
    "/proc/net/dev": (
        "Inter-|   Receive                                                |  Transmit\n"
        " face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop fifo"
        " colls carrier compressed\n"
        "    lo: 9000      90    0    0    0     0          0         0     9000      90    0    0    0     0"
        "       0          0\n"
        "enp1s0:90123456   90001    2    3    0     0          0        11 45000000   70001    4    5    0"
        "     0       0          0\n"
        "enp2s0:       0       0    0    0    0     0          0         0        0       0    0    0    0"
        "     0       0          0\n"
    ),
    "/sys/class/net/enp1s0/speed": "2500\n",
    "/sys/class/net/enp2s0/speed": "-1\n",
    "/proc/net/rpc/nfsd": "rc 0 5 6\nfh 0 0 0 0 0\nio 123456 654321\nth 8 0\n",
    "/proc/spl/kstat/zfs/arcstats": (
        "9 1 0x01 147 39984 4012345678 9876543210\nname                            type data\n"
        "hits                            4    90\ndemand_data_hits                4    50\n"
        "demand_data_iohits              4    2\ndemand_data_misses              4    8\n"
        "demand_metadata_hits            4    30\ndemand_metadata_misses          4    10\n"
        "prefetch_data_hits              4    1\nprefetch_data_misses            4    3\n"
        "mru_ghost_hits                  4    5\nmfu_ghost_hits                  4    6\n"
        "c                               4    2000\nc_min                           4    100\n"
        "c_max                           4    4000\nsize                            4    1500\n"
        "arc_meta_used                   4    300\nl2_hits                         4    7\n"
        "l2_misses                       4    3\nl2_size                         4    900\n"
        "memory_available_bytes          3    -55\n"
    ),
    "/sys/class/hwmon/hwmon0/name": "drivetemp\n",
    "/sys/class/hwmon/hwmon0/temp1_input": "61000\n",
    "/sys/class/hwmon/hwmon1/name": "k10temp\n",
    "/sys/class/hwmon/hwmon1/temp1_input": "47250\n",
    "/sys/class/hwmon/hwmon1/temp3_input": "51500\n",
    "/sys/class/hwmon/hwmon1/temp1_max": "95000\n",
    "/sys/devices/system/edac/mc/mc0/dimm0/dimm_label": "DIMM_A1\n",
    "/sys/devices/system/edac/mc/mc0/dimm0/dimm_ce_count": "12\n",
    "/sys/devices/system/edac/mc/mc0/dimm0/dimm_ue_count": "1\n",
    "/sys/devices/system/edac/mc/mc0/dimm1/dimm_label": "DIMM_A1\n",
    "/sys/devices/system/edac/mc/mc0/dimm1/dimm_ce_count": "0\n",
    "/sys/devices/system/edac/mc/mc0/power/control": "auto\n",
}


@pytest.fixture
def files(tmp_path: Path) -> LocalKernelFiles:
    for path, text in TEXTS.items():
        at = tmp_path / path.lstrip("/")
        at.parent.mkdir(parents=True, exist_ok=True)
        at.write_text(text)
    return LocalKernelFiles(tmp_path)


def test_each_file_is_understood(files: LocalKernelFiles) -> None:
    assert read_cpu_times(files) == CpuTimes(2343526, 135675, 4113, 2698, 3140743)
    assert read_memory(files) == Memory(8052512 << 10, 5052512 << 10, 1000 << 10)
    assert read_pressure(files) == {"io": 96915680}
    assert read_nfs_bytes(files) == (123456, 654321)
    assert read_ports(files) == {
        "enp1s0": PortCounters(90123456, 45000000, 6, 8, 2500),
        "enp2s0": PortCounters(0, 0, 0, 0, None),
    }


def test_the_cache_counts_what_was_on_its_way_as_not_found(files: LocalKernelFiles) -> None:
    arc = read_arc(files)
    assert arc is not None
    assert (arc.demand, arc.prefetch, arc.l2) == (Access(80, 100), Access(1, 4), Access(7, 10))
    assert (arc.size, arc.target, arc.least, arc.most) == (1500, 2000, 100, 4000)
    assert (arc.metadata, arc.ghost_hits, arc.l2_size) == (300, 11, 900)


def test_no_disk_is_asked_for_the_temperature_of_the_processor(files: LocalKernelFiles) -> None:
    assert read_cpu_temperature(files) == 51.5


def test_memory_errors_are_counted_by_slot_also_where_two_have_one_name(files: LocalKernelFiles) -> None:
    assert read_memory_errors(files) == {
        "DIMM_A1": MemoryErrors(12, 1),
        "DIMM_A1 (mc0/dimm1)": MemoryErrors(0, 0),
    }


def test_diskstats_count_sectors_of_512_bytes() -> None:
    text = "   8       0 sda 100 5 2048 77 200 6 4096 88 0 99 165 0 0 0 0 3 4\n   8 1 broken\n"
    assert parse_diskstats(text) == {"sda": DiskCounters(100, 1_048_576, 77, 200, 2_097_152, 88, 99)}


def test_a_machine_without_any_of_it_has_nothing_and_raises_nothing(tmp_path: Path) -> None:
    found = read_counters(LocalKernelFiles(tmp_path), 5.0)
    assert found == Counters(time=5.0, uptime=0.0)


@pytest.mark.parametrize("text", ["", "\n"])
def test_files_that_say_nothing_are_no_error(tmp_path: Path, text: str) -> None:
    for path in TEXTS:
        at = tmp_path / path.lstrip("/")
        at.parent.mkdir(parents=True, exist_ok=True)
        at.write_text(text)
    found = read_counters(LocalKernelFiles(tmp_path), 5.0)
    assert (found.cpu, found.memory, found.arc, found.pressure) == (None, None, None, {})


def test_a_simulated_machine_has_all_of_it_and_its_counters_only_grow(tmp_path: Path) -> None:
    bench = PoolBench(tmp_path)
    bench.create(("data", "raidz2", 6))
    simulated = bench.host
    before = read_counters(SimulatedKernelFiles(simulated.machine()), 0.0)
    simulated.pass_time(120)
    after = read_counters(SimulatedKernelFiles(simulated.machine()), 120.0)
    assert after.uptime - before.uptime == pytest.approx(120, abs=5)
    assert None not in (after.cpu, after.memory, after.arc, after.load, after.cpu_celsius)
    assert set(after.pressure) == {"cpu", "io", "memory"}
    assert set(after.ports) == {"eno1", "eno2"}
    assert {"sda", "sda1", "sdg"} <= set(after.disks)
    for name, counted in after.disks.items():
        assert all(now >= earlier for earlier, now in zip(before.disks[name], counted, strict=True))
    assert after.disks["sda1"].read_bytes > before.disks["sda1"].read_bytes
