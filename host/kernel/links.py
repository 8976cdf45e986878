"""How fast the links of NVMe drives are, as PCI Express negotiated them."""

from __future__ import annotations

import re
from typing import NamedTuple

from host.kernel.files import KernelFiles

_NVME = "/sys/class/nvme"
_RATE = re.compile(r"(\d+(?:\.\d+)?) GT/s")


class Link(NamedTuple):
    """Speeds in Mbit/s that data can have: now, and at most; `words` are both as they are printed."""

    mbit: int
    most_mbit: int | None
    words: str = ""


def read_nvme_links(files: KernelFiles) -> dict[str, Link]:
    """By the drive's serial. Files of the kernel: no drive is asked, and none is woken. A drive on a
    controller of another kind, or in a virtual machine, has no such files."""
    found = {}
    for name in files.names(_NVME):
        folder = f"{_NVME}/{name}/device"
        now = _link(files, folder, "current")
        most = _link(files, folder, "max")
        serial = files.read(f"{_NVME}/{name}/serial").strip()
        if serial and now is not None:
            words = now[1] if most is None else f"{now[1]} instead of {most[1]}"
            found[serial] = Link(now[0], most[0] if most else None, words)
    return found


def _link(files: KernelFiles, folder: str, which: str) -> tuple[int, str] | None:
    """See Documentation/ABI/testing/sysfs-bus-pci of the kernel. Up to 5 GT/s 8 of 10 bits are data, above
    that 128 of 130 (PCI Express base specification, "Physical Layer")."""
    rate = _RATE.match(files.read(f"{folder}/{which}_link_speed"))
    width = files.read(f"{folder}/{which}_link_width").strip()
    if rate is None or not width.isdecimal() or int(width) == 0:
        return None
    each = float(rate[1])
    data = 0.8 if each <= 5 else 128 / 130
    return round(1000 * each * data * int(width)), f"{each:g} GT/s ×{width}"
