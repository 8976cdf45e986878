"""`python -m tests.bench.flash`: how much a NAS on flash drives writes to them while nobody uses it."""

from __future__ import annotations

from tests.bench.timing import show
from tests.lab.appliance import build_flash_image
from tests.lab.console import Console
from tests.lab.disks import GB, sata, usb
from tests.lab.machine import Machine

SETTLE_S, MEASURE_S = 300, 1200
_SECTOR = 512


def measure() -> None:
    """Boot the image with a pool and let it idle. Prints the MB that an hour would write."""
    sticks = (usb(1, size_bytes=8 * GB), usb(2, size_bytes=8 * GB))
    with Machine(None, (*sticks, *(sata(number, size_bytes=8 * GB) for number in (1, 2)))) as machine:
        machine.write_disk("usb1", build_flash_image().disk)
        machine.boot()
        console = Console(machine)
        console.fresh()
        disks = [disk["id"] for disk in console.get("disks/")["results"] if disk["transport"] == "sata"]
        pool = {"name": "tank", "vdevs": [{"role": "data", "layout": "mirror", "disks": disks}]}
        console.do("POST", "pools/", pool)
        machine.run(f"sleep {SETTLE_S}", timeout_s=SETTLE_S + 60)
        before = _written(machine)
        machine.run(f"sleep {MEASURE_S}", timeout_s=MEASURE_S + 60)
        bytes_per_hour = (_written(machine) - before) * 3600 / MEASURE_S
    how = f"measured over {MEASURE_S // 60} min, with a pool of two disks and nobody connected"
    show("an idle hour writes to a flash drive", bytes_per_hour / 1e6, aim=20, unit="MB", how=how)


def _written(machine: Machine) -> int:
    """Bytes written to the array of the system: each stick gets as many, and the bitmap."""
    return int(machine.run("awk '{print $7}' /sys/block/md127/stat").stdout) * _SECTOR


if __name__ == "__main__":
    measure()
