"""Disks whose link is slower than it could be."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from alerts.slow.figures import Figures, disk_links
from alerts.slow.rules import reasons
from disks import tasks
from host.inventory import Disk, Inventory
from host.kernel.files import LocalKernelFiles
from host.kernel.links import Link, read_nvme_links
from jobs import cache
from tests import made
from tests.alerts.test_slow import vdev
from tests.conftest import refresh, simulated_machine

FULL = Link(6000, 6000)


def machine(*disks: Disk) -> Inventory:
    tank = made.pool(vdevs=(vdev(*range(1, len(disks) + 1)),))
    return msgspec.structs.replace(made.inventory(*disks), pools=(tank,))


def said(*links: Link | None, medium: str = "hdd") -> list[tuple[str, str]]:
    disks = [made.disk(place, medium=medium, bay=f"A{place}") for place in range(1, len(links) + 1)]
    known = {disk.id: link for disk, link in zip(disks, links, strict=True) if link}
    return [(one.title, one.words) for one in reasons(machine(*disks), Figures(disk_links=known))]


@pytest.mark.parametrize(
    ("links", "medium"),
    [
        ((FULL, FULL, FULL), "hdd"),
        ((Link(3000, 3000), FULL, FULL), "hdd"),  # an older disk: that is all it can do
        ((Link(3000, 6000),) * 3, "hdd"),  # no hard disk reads as fast as that
        ((Link(12_000, None),) * 3, "hdd"),  # SAS does not say what it could do
        ((None, None, FULL), "hdd"),
        ((FULL, FULL, FULL), "ssd"),
    ],
)
def test_nothing_is_said_of_links_that_slow_nothing(links: tuple[Link | None, ...], medium: str) -> None:
    assert said(*links, medium=medium) == []


def test_a_link_that_fell_back_is_named_with_what_its_siblings_have() -> None:
    ((title, words),) = said(Link(3000, 6000), FULL, FULL)
    assert title == "Bay A1 in tank: connected at 3 Gbit/s"
    assert words.startswith("It could have 6 Gbit/s. Other disks of raidz2-0 have 6 Gbit/s. A damaged cable")
    ((title, words),) = said(Link(12_000, None), Link(12_000, None), Link(6000, None))
    assert title == "Bay A3 in tank: connected at 6 Gbit/s"
    assert words.startswith("Other disks of raidz2-0 have 12 Gbit/s.")


def test_a_slow_port_is_said_where_it_slows_the_disk_and_once_for_a_vdev() -> None:
    ((title, words),) = said(Link(3000, 6000), Link(3000, 6000), medium="ssd")
    assert title == "2 disks of raidz2-0 in tank: connected at 3 Gbit/s"
    assert words.startswith("They could have 6 Gbit/s. A damaged")
    assert len(said(Link(1500, 6000), Link(1500, 6000))) == 1


def test_links_of_nvme_drives_are_read_from_the_kernel(tmp_path: Path) -> None:
    def write(path: str, text: str) -> None:
        file = tmp_path / "sys/class/nvme" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    for which, rate, width in (("current", "5.0 GT/s PCIe", 2), ("max", "16.0 GT/s PCIe", 4)):
        write(f"nvme0/device/{which}_link_speed", f"{rate}\n")
        write(f"nvme0/device/{which}_link_width", f"{width}\n")
    write("nvme0/serial", "S64GNE0R700001      \n")
    write("nvme1/serial", "VIRTUAL\n")  # no link: it is not on PCI Express
    write("nvme2/serial", "ODD\n")
    write("nvme2/device/current_link_speed", "Unknown\n")
    write("nvme2/device/current_link_width", "0\n")
    assert read_nvme_links(LocalKernelFiles(tmp_path)) == {
        "S64GNE0R700001": Link(8000, 63_015, "5 GT/s ×2 instead of 16 GT/s ×4")
    }


@pytest.mark.parametrize(("profile", "mbit", "full"), [("home", 1500, 6000), ("flash4", 16_000, 31_508)])
def test_links_of_the_machine_come_from_smart_and_from_the_kernel(
    transactional_db: None, settings: Any, tmp_path: Path, profile: str, mbit: int, full: int
) -> None:
    host = simulated_machine(settings, tmp_path, profile)
    inventory = cache.current()
    assert inventory is not None
    data = [disk for disk in inventory.disks if disk.transport == ("nvme" if profile == "flash4" else "sata")]
    host.age(data[0].id, link_mbit=mbit)
    tasks.read_smart()
    refresh()
    found = disk_links(inventory)
    assert found[data[0].id].mbit < full and found[data[1].id] == Link(
        full, full, "8 GT/s ×4 instead of 8 GT/s ×4" if profile == "flash4" else ""
    )
