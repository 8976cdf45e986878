"""What the drills on the life of pools share: a NAS whose disks are small and sit in taught bays."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable, Iterator
from datetime import datetime
from typing import Any

import pytest

from tests.lab.console import Console
from tests.lab.disks import GB, Disk, sas
from tests.lab.machine import Machine

SMALL = 8 * GB
BAYS = 10
DISKS = tuple(sas(number, size_bytes=SMALL) for number in range(1, BAYS + 1))
_CASE = {"name": "Drill", "groups": [{"name": "Front", "rows": 2, "columns": 8, "prefix": "B"}]}
_LOAD = "drill-load"  # what begins with nasweb- gets the sandbox of our services
_STOP = "/run/nasweb-drill-stop"
_SUMS = "/var/tmp/drill.sha256"
# Each file's digest is of what was meant to be written, not of what could be read again.
_WRITE = (
    "n={first}; while [ $n -lt {last} ] && [ ! -e {stop} ]; do head -c {size} /dev/urandom"
    " | tee {folder}/$n | sha256sum | sed s,-,{folder}/$n, >> {sums}; n=$((n + 1)); done"
)

Condition = Callable[[], Any]


def small(number: int) -> Disk:
    """A disk that comes later, in the place of that number."""
    return sas(number, size_bytes=SMALL)


def until(condition: Condition, *, limit_s: float = 180.0, every_s: float = 0.5) -> tuple[float, Any]:
    """The seconds until `condition` gave something, and what. Asks, and does nothing else."""
    started = time.monotonic()
    while not (found := condition()):
        if time.monotonic() - started > limit_s:
            pytest.fail(f"Waited in vain for {limit_s:.0f} s.")
        time.sleep(every_s)
    return time.monotonic() - started, found


class PoolLab:
    """A machine and its console, with the words of the drills."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.console = Console(machine)
        self.console.fresh()
        self.console.do("PUT", "chassis/", _CASE)
        self.teach()

    def teach(self) -> None:
        """Every disk that is in sits in the bay of its serial's number."""
        found = {disk["serial"]: disk["port"] for disk in self.disks()}
        taught = [
            {"bay": bay_of(disk), "port": found[disk.serial]}
            for disk in self.machine.disks.values()
            if disk.serial in found
        ]
        self.console.do("PUT", "bays/", {"bays": taught})
        self.console.fresh()

    def disks(self) -> list[dict[str, Any]]:
        """The disks with a serial, as the console has them now."""
        return [disk for disk in self.console.get("disks/?limit=1000")["results"] if disk["serial"]]

    def id_of(self, disk: Disk) -> str | None:
        """The console's lasting name of a disk, None while it does not know it. Of one that has just come it
        knows the serial number first: until udev has made its links it is called by its kernel name."""
        known = (one for one in self.disks() if one["serial"] == disk.serial and one["links"])
        return next((one["id"] for one in known), None)

    def ids(self, *numbers: int) -> list[str]:
        """The console's names of the disks of these numbers, which are here."""
        found = {disk["serial"]: disk["id"] for disk in self.disks()}
        return [found[small(number).serial] for number in numbers]

    def create(self, name: str, layout: str, *numbers: int, spare: int | None = None) -> None:
        """A pool on these disks, mounted below /mnt."""
        vdevs = [{"role": "data", "layout": layout, "disks": self.ids(*numbers)}]
        if spare is not None:
            vdevs.append({"role": "spare", "layout": "stripe", "disks": self.ids(spare)})
        self.console.do("POST", "pools/", {"name": name, "vdevs": vdevs})

    def pool(self, name: str) -> dict[str, Any]:
        """The pool as the console has it."""
        found: dict[str, Any] = self.console.get(f"pools/{name}/")
        return found

    def leaf(self, name: str, disk: Disk) -> dict[str, Any]:
        """The member on a disk: by the console's disk, or by its path where that has gone."""
        wwn = f"{disk.wwn:x}"
        return next(one for one in leaves(self.pool(name)["vdevs"]) if wwn in (one["path"] or ""))

    def alert(self, *kinds: str) -> dict[str, Any] | None:
        """The newest open alert of one of these kinds."""
        alerts = self.console.get("alerts/?open=true")["results"]
        return next((alert for alert in alerts if alert["kind"] in kinds), None)

    def refreshed(self, condition: Condition) -> Condition:
        """The condition on a fresh inventory: for what no disk that comes or goes would show."""

        def refreshed() -> Any:
            self.console.fresh()
            return condition()

        return refreshed

    def resilvered(self, name: str) -> bool:
        """No scan runs, nothing is being replaced and no spare stands in."""
        pool = self.pool(name)
        kinds = {vdev["kind"] for vdev in every(pool["vdevs"])}
        scan = pool["scan"] or {}
        return scan.get("state") != "SCANNING" and not kinds & {"spare", "replacing"}

    def write(self, folder: str, *, files: int, size: int = 1_000_000) -> None:
        """Files of random content, and their digests for `verify`."""
        self.machine.run(f"mkdir -p {folder}; rm -f {_SUMS}; touch {_SUMS}")
        line = _WRITE.format(first=0, last=files, stop=_STOP, size=size, folder=folder, sums=_SUMS)
        # The digests lie on the system's own disk, which a power cut may surprise as well.
        self.machine.run(f"rm -f {_STOP}; {line}; sync -f {folder} {_SUMS}", timeout_s=300)

    def start_load(self, folder: str) -> None:
        """Goes on writing files until `stop_load`."""
        line = _WRITE.format(first=100_000, last=999_999, stop=_STOP, size=300_000, folder=folder, sums=_SUMS)
        unit = ["systemd-run", f"--unit={_LOAD}", "--collect", "--expand-environment=no"]
        self.machine.run([*unit, "sh", "-c", f"{line}; sync -f {folder}"])
        self.machine.wait_until(f"grep -q /100003$ {_SUMS}", timeout_s=120)

    def stop_load(self) -> None:
        """Ends the writing; what was begun is written to its end."""
        self.machine.run(f"touch {_STOP}")
        self.machine.wait_until(f"! systemctl is-active --quiet {_LOAD}", timeout_s=180)

    def verify(self) -> int:
        """How many files there are, each with the digest of what was meant to be in it."""
        self.machine.run(f"sha256sum --check --quiet {_SUMS}", timeout_s=300)
        return int(self.machine.run(f"wc -l < {_SUMS}").stdout)

    def forget_what_memory_holds(self, name: str) -> None:
        """Export and import, so that the next reads come from the disks."""
        guid = self.pool(name)["guid"]
        self.console.do("POST", f"pools/{name}/export/", {})
        self.importable_pools()
        self.console.do("POST", "pools/import/", {"guid": guid})

    def importable_pools(self) -> list[dict[str, Any]]:
        """The pools that are on the disks and not imported."""
        return importable_pools(self.console)

    def destroy(self, name: str) -> None:
        """The pool is gone, and so is what it held."""
        self.console.do("DELETE", f"pools/{name}/")

    def tidy(self) -> None:
        """Whatever a drill that failed left: all disks in again, nothing suspended, no pool."""
        run = self.machine.run
        run(f"touch {_STOP}")
        for disk in DISKS:
            self.machine.return_disk(disk.id)
        run("udevadm settle")
        for name in run("zpool list -Ho name").stdout.split():
            run(f"zpool clear {name}; zpool clear {name}", check=False)
            run(f"systemctl stop {_LOAD}; zpool destroy -f {name}", check=False)
        self.console.fresh()


def importable_pools(console: Console) -> list[dict[str, Any]]:
    """The pools that are on the disks of a machine and not imported."""
    answer = console.ask("POST", "pools/importable/", {}, Prefer="wait=60")
    assert answer.status in {200, 202}, answer
    since = datetime.fromisoformat(answer.body["requested_at"])

    def refreshed() -> dict[str, Any] | None:
        body: dict[str, Any] = console.get("pools/importable/")
        when = body["as_of"]
        return body if when is not None and datetime.fromisoformat(when) >= since else None

    _, body = until(refreshed)
    found: list[dict[str, Any]] = body["results"]
    return found


def bay_of(disk: Disk) -> str:
    """The bay that a disk was taught to sit in."""
    return f"B{disk.place + 1}"


def every(vdevs: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """All vdevs of a tree."""
    for vdev in vdevs:
        yield vdev
        yield from every(vdev["children"])


def leaves(vdevs: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Those without children."""
    return (vdev for vdev in every(vdevs) if not vdev["children"])


def newcomer(number: int, *, place_of: Disk) -> Disk:
    """A new disk for the place of one that was pulled."""
    return dataclasses.replace(small(number), place=place_of.place)
