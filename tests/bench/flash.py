"""`python -m tests.bench.flash`: what a NAS on flash drives writes to them, and what its worker takes, while
nobody uses it."""

from __future__ import annotations

import shlex

from tests.bench.timing import show
from tests.lab.console import Console
from tests.lab.disks import GB, sata, usb
from tests.lab.machine import Machine
from tests.lab.new_machine import from_stick, refresh_inventory, wait_until_up

SETTLE_S, MEASURE_S = 900, 1200
_SECTOR = 512
_ROUNDS, _ROUND_S = 10, 10
_COLLECT = f"""
import time
import django
django.setup()
from jobs.tasks import collect
collect()
began = time.thread_time()
for _ in range({_ROUNDS}):
    collect()
print(time.thread_time() - began)
"""
_AS_WORKER = (
    "systemd-run --quiet --wait --pipe --property=User=nasweb-worker --working-directory=/opt/nasweb/current"
    " --property=EnvironmentFile=/etc/nasweb/environment --setenv=DJANGO_SETTINGS_MODULE=nasweb.settings"
    " /opt/nasweb/current/.venv/bin/python"
)


def measure() -> None:
    """Boot the image with a pool and let it idle. Prints the MB that an hour would write, and the shares of a
    core that the worker takes: for all it does, and for what it measures every ten seconds alone."""
    disks_of_the_pool = (sata(number, size_bytes=8 * GB) for number in (1, 2))
    with from_stick(usb(1, size_bytes=8 * GB), disks_of_the_pool) as machine:
        machine.boot()
        wait_until_up(machine)
        console = Console(machine)
        refresh_inventory(console)
        disks = [disk["id"] for disk in console.get("disks/")["results"] if disk["transport"] == "sata"]
        pool = {"name": "tank", "vdevs": [{"role": "data", "layout": "mirror", "disks": disks}]}
        console.do("POST", "pools/", pool)
        # The copy of the settings and ext4's own tables are written in the first minutes, and once.
        machine.run(f"sleep {SETTLE_S}", timeout_s=SETTLE_S + 60)
        stick = machine.kernel_name("usb1")
        before, spent = _written(machine, stick), _worker_s(machine)
        machine.run(f"sleep {MEASURE_S}", timeout_s=MEASURE_S + 60)
        bytes_per_hour = (_written(machine, stick) - before) * 3600 / MEASURE_S
        share = (_worker_s(machine) - spent) / MEASURE_S
        collecting = _collecting_s(machine) / _ROUNDS / _ROUND_S
    how = f"measured over {MEASURE_S // 60} min, with a pool of two disks and nobody connected"
    show("an idle hour writes to a flash drive", bytes_per_hour / 1e6, aim=20, unit="MB", how=how)
    emulated = "of one emulated core"
    show("processor time of collecting series", 100 * collecting, aim=1, unit="%", how=emulated)
    show("processor time of the worker meanwhile", 100 * share, aim=1, unit="%", how=emulated)


def _written(machine: Machine, stick: str) -> int:
    """Bytes written to the stick since the start, the superblock and the bitmap of its array among them. The
    other half of a pair gets as many."""
    return int(machine.run(f"awk '{{print $7}}' /sys/block/{stick}/stat").stdout) * _SECTOR


def _worker_s(machine: Machine) -> float:
    """Seconds of processor time that the worker has taken since it started."""
    said = machine.run("systemctl show --value -p CPUUsageNSec nasweb-worker").stdout
    return int(said) / 1e9


def _collecting_s(machine: Machine) -> float:
    """Seconds of processor time of `_ROUNDS` rounds, in a process of their own."""
    return float(machine.run(f"{_AS_WORKER} -c {shlex.quote(_COLLECT)}").stdout)


if __name__ == "__main__":
    measure()
