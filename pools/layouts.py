"""What is fixed about roles and layouts of vdevs (man zpoolconcepts)."""

from __future__ import annotations

from host.commands.zpool import Layout, Role

FEWEST_DISKS: dict[Layout, int] = {"stripe": 1, "mirror": 2, "raidz1": 2, "raidz2": 3, "raidz3": 4}
MOST_DISKS = 255
PARITY: dict[Layout, int] = {"stripe": 0, "mirror": 0, "raidz1": 1, "raidz2": 2, "raidz3": 3}
LAYOUTS_OF_ROLE: dict[Role, tuple[Layout, ...]] = {
    "data": ("stripe", "mirror", "raidz1", "raidz2", "raidz3"),
    "special": ("stripe", "mirror"),
    "dedup": ("stripe", "mirror"),
    "log": ("stripe", "mirror"),
    "cache": ("stripe",),
    "spare": ("stripe",),
}


def survives(layout: Layout, disks: int) -> int:
    """How many of a vdev's disks may fail in any combination without loss."""
    return disks - 1 if layout == "mirror" else PARITY[layout]
