"""Which text each file holds."""

from __future__ import annotations

from collections.abc import Callable

from host.simulated.kernel import datasets, devices, system
from host.simulated.state import Machine

_TEXTS: dict[str, Callable[[Machine], str]] = {
    "/proc/diskstats": devices.diskstats,
    "/proc/loadavg": system.loadavg,
    "/proc/meminfo": system.meminfo,
    "/proc/net/dev": devices.net_dev,
    "/proc/net/rpc/nfsd": system.nfsd,
    "/proc/net/tcp": datasets.tcp,
    "/proc/pressure/cpu": lambda machine: system.pressure(machine, 0.02),
    "/proc/pressure/io": lambda machine: system.pressure(machine, 0.05),
    "/proc/pressure/memory": lambda machine: system.pressure(machine, 0.0),
    "/proc/spl/kstat/zfs/arcstats": system.arcstats,
    "/proc/stat": system.stat,
    "/proc/uptime": system.uptime,
    "/sys/class/hwmon/hwmon0/name": lambda _: "coretemp\n",
    "/sys/class/hwmon/hwmon0/temp1_input": system.cpu_temperature,
}


class SimulatedKernelFiles:
    """Those of `machine`, as it is at this moment."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine
        self._found = (
            devices.port_files(machine) | devices.memory_files(machine) | devices.nvme_files(machine)
        )

    def read(self, path: str) -> str:
        """As `host.kernel.files.KernelFiles`."""
        if "/objset-" in path:
            return datasets.objset(self._machine, path)
        text = _TEXTS.get(path)
        return text(self._machine) if text else self._found.get(path, "")

    def names(self, folder: str) -> list[str]:
        """As `host.kernel.files.KernelFiles`."""
        start = f"{folder}/"
        return sorted(
            {
                path.removeprefix(start).partition("/")[0]
                for path in (*_TEXTS, *self._found)
                if path.startswith(start)
            }
        )
