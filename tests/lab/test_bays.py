"""Disks and bays on a NAS with 24 SAS disks, SATA disks and flash drives: which drive to pull."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.lab.builder import build_image, built_release
from tests.lab.console import Console
from tests.lab.disks import sas, sata, usb
from tests.lab.machine import Machine

pytestmark = [pytest.mark.drill, pytest.mark.measures]

# The first port of each kind stays empty, for the disks that come later and shift the names of all others.
DISKS = (*(sas(number) for number in range(2, 26)), *(sata(number) for number in range(2, 6)), usb(2), usb(3))
CASE = {
    "name": "Drill",
    "groups": [
        {"name": "SAS", "rows": 6, "columns": 4, "prefix": "S"},
        {"name": "SATA", "rows": 1, "columns": 4, "prefix": "A"},
        {"name": "USB", "rows": 1, "columns": 2, "prefix": "U"},
    ],
}
NOTICED_S = 10.0


@pytest.fixture(scope="module")
def rack() -> Iterator[Machine]:
    """A machine of its own, because its disks are shuffled and swapped."""
    with Machine(build_image(built_release()), DISKS) as nas:
        nas.boot()
        yield nas


@pytest.fixture(scope="module")
def console(rack: Machine) -> Console:
    """Its API, with the case described and every bay taught by its port."""
    console = Console(rack)
    console.fresh()
    console.do("PUT", "chassis/", CASE)
    disks = sorted(all_disks(console), key=lambda disk: disk["serial"])
    by_kind = {
        prefix: [disk for disk in disks if disk["serial"].startswith(start)]
        for prefix, start in (("S", "PCK"), ("A", "WD-"), ("U", "FLASH"))
    }
    taught = [
        {"bay": f"{prefix}{number}", "port": disk["port"]}
        for prefix, found in by_kind.items()
        for number, disk in enumerate(found, start=1)
    ]
    assert len(taught) == len(DISKS), disks
    console.do("PUT", "bays/", {"bays": taught})
    console.fresh()
    return console


def all_disks(console: Console) -> list[dict[str, Any]]:
    """The disks with a serial: all but the one that carries the lab's own system."""
    return [disk for disk in console.get("disks/?limit=1000")["results"] if disk["serial"]]


def bay(console: Console, label: str) -> dict[str, Any]:
    found: dict[str, Any] = console.get(f"bays/{label}/")
    return found


def serials_by_bay(console: Console) -> dict[str, str]:
    return {disk["bay"]: disk["serial"] for disk in all_disks(console)}


def seconds_until(condition: Callable[[], bool], limit_s: float = 120.0) -> float:
    """How long it took until `condition` held, by asking every half second and by nothing else."""
    started = time.monotonic()
    while not condition():
        if time.monotonic() - started > limit_s:
            pytest.fail(f"Waited in vain for {limit_s} s.")
        time.sleep(0.5)
    return time.monotonic() - started


def reattach(rack: Machine, names: dict[str, str]) -> None:
    """Lets every disk that has its old name again change it with others.

    The kernel hands names out as disks answer, so by chance a few get the one they had: these, and the new
    disks to change with, are detached and come back one by one, in another order.
    """
    now = {disk.serial: f"/dev/{rack.kernel_name(disk.id)}" for disk in rack.disks.values()}
    moved = [path.removeprefix("/dev/") for serial, path in now.items() if names.get(serial) in (path, None)]
    moved.sort(key=lambda name: (len(name), name))  # sdz comes before sdaa
    addresses = rack.run(["sh", "-c", "for n; do readlink -f /sys/block/$n/device; done", "sh", *moved])
    places = [line.rsplit("/", 1)[1].split(":") for line in addresses.stdout.splitlines()]
    for name in moved:
        rack.run(f"echo 1 > /sys/block/{name}/device/delete")
    # The first to come gets the lowest name that is free, so each gets the name of its neighbour.
    for host, *rest in (*places[1:], places[0]):
        rack.run(f"echo '{' '.join(rest)}' > /sys/class/scsi_host/host{host}/scan")
        rack.run("udevadm settle")


def test_every_bay_keeps_its_serial_when_every_name_changes(rack: Machine, console: Console) -> None:
    before = serials_by_bay(console)
    names = {disk["serial"]: disk["path"] for disk in all_disks(console)}
    assert len(before) == len(DISKS)
    rack.shutdown()
    for disk in (sas(1), sata(1), usb(1)):
        rack.add_disk(disk)
    rack.boot()
    reattach(rack, names)
    console.fresh()
    after = {disk["serial"]: disk["path"] for disk in all_disks(console)}
    assert [serial for serial, path in names.items() if after[serial] == path] == []
    found = serials_by_bay(console)
    assert {label: found[label] for label in before} == before
    assert {disk["serial"] for disk in all_disks(console) if disk["bay"] is None} == {
        sas(1).serial, sata(1).serial, usb(1).serial,
    }  # fmt: skip


def test_a_pulled_disk_is_missed_by_itself_and_known_again(rack: Machine, console: Console) -> None:
    held = bay(console, "S5")
    assert serials_by_bay(console)["S5"] == sas(6).serial  # the fifth that was taught
    rack.pull_disk("sas6")
    took = seconds_until(lambda: bay(console, "S5")["missing"] is not None)
    missing = bay(console, "S5")
    assert (missing["disk"], missing["missing"]["serial"]) == (None, sas(6).serial)
    print(f"the bay reported after {took:.1f} s")
    assert took <= NOTICED_S
    gone = console.get("disks/?gone=true&limit=1000")["results"]
    assert (sas(6).serial, "S5") in [(disk["serial"], disk["last_bay"]) for disk in gone]
    rack.insert_disk("sas6")
    seconds_until(lambda: bay(console, "S5")["disk"] is not None)
    back = bay(console, "S5")
    assert (back["disk"], back["missing"], back["fresh"]) == (held["disk"], None, False)


def test_a_new_disk_in_a_taught_bay_shows_as_new_there(rack: Machine, console: Console) -> None:
    rack.pull_disk("sas7")
    seconds_until(lambda: bay(console, "S6")["missing"] is not None)
    rack.add_disk(dataclasses.replace(sas(40), place=sas(7).place))
    seconds_until(lambda: bay(console, "S6")["disk"] is not None)
    new = bay(console, "S6")
    assert (new["fresh"], new["known_by"], new["missing"]) == (True, "path", None)
    assert serials_by_bay(console)["S6"] == sas(40).serial


def test_probing_disks_reads_nothing_from_them(rack: Machine, console: Console) -> None:
    rack.run("udevadm settle")
    names = [disk["path"].removeprefix("/dev/") for disk in all_disks(console)]
    counters = "cat " + " ".join(f"/sys/block/{name}/stat" for name in names)
    before = rack.run(counters).stdout
    for _ in range(10):
        console.fresh()
    for path in ("disks/", "bays/", "chassis/", "pools/", f"disks/{all_disks(console)[0]['id']}/"):
        console.get(path)
    assert rack.run(counters).stdout == before


def test_locating_blinks_the_one_disk_that_serial_and_bay_name(rack: Machine, console: Console) -> None:
    disk = next(disk for disk in all_disks(console) if disk["bay"] == "S9")
    other = next(disk for disk in all_disks(console) if disk["bay"] == "S10")
    path = f"disks/{disk['id']}/locate/"
    for wrong in ({"serial": other["serial"], "bay": "S9"}, {"serial": disk["serial"], "bay": "S10"}):
        assert console.ask("POST", path, wrong).status == 422
    console.do("POST", path, {"serial": disk["serial"], "bay": "S9", "seconds": 600})
    reads = "awk '{print $1}' /sys/block/%s/stat"
    names = [entry["path"].removeprefix("/dev/") for entry in (disk, other)]
    before = [int(rack.run(reads % name).stdout) for name in names]
    seconds_until(lambda: int(rack.run(reads % names[0]).stdout) > before[0])
    assert int(rack.run(reads % names[1]).stdout) == before[1]
    # Whoever asked is gone after a restart, so the light goes off.
    rack.run("systemctl restart nasweb-worker")
    rack.wait_until(f"! systemctl is-active --quiet nasweb-disk-blink-{disk['serial']}", timeout_s=180)


def test_a_burn_in_survives_the_worker_and_keeps_its_verdict(rack: Machine, console: Console) -> None:
    small = dataclasses.replace(sas(41), place=30, size_bytes=768 * 1024**2)
    rack.add_disk(small)
    ids: list[str] = []

    def is_found() -> bool:
        known = (disk for disk in all_disks(console) if disk["serial"] == small.serial)
        # Without links, which udev is about to make, it is still called by its kernel name.
        ids[:] = [disk["id"] for disk in known if disk["links"]]
        return bool(ids)

    seconds_until(is_found)
    path = f"disks/{ids[0]}/"
    request = {"serial": small.serial}
    assert console.ask("POST", f"{path}burn-in/", request).status == 409
    assert console.ask("POST", f"{path}burn-in/", {"serial": sas(40).serial}).status == 422
    console.do("POST", f"{path}burn-in/", request)
    unit = f"nasweb-disk-burn-in-{small.serial}"
    assert rack.run(["systemctl", "is-active", unit], check=False).stdout.strip() == "active"
    assert console.get(path)["in_use"]
    rack.run("systemctl restart nasweb-worker nasweb-helper")
    seconds_until(lambda: console.get(path)["burn_in"]["verdict"] is not None, limit_s=600)
    burned = console.get(path)["burn_in"]
    assert (burned["verdict"], burned["mismatches"]) == ("passed", 0), burned
    assert burned["writing"]
    assert burned["reading"]
