"""Machines as they were after their first boot, kept in the cache: to go on from there takes seconds.

What is kept is QEMU's state (`migrate` to a file) and the root disk of that moment. Both are of one image and
one set of devices, so the key is the digest of QEMU's own arguments. Data disks are blank then, as new ones.
"""

from __future__ import annotations

import contextlib
import shutil
import time
from collections.abc import Sequence
from pathlib import Path

from tests.lab.builder import Image
from tests.lab.cache import cache_folder, digest
from tests.lab.qmp import Qmp

LIMIT_S = 120.0
WANTED = "NASWEB_LAB_KEEPS_BOOTED"  # in the environment: each kind of machine takes a gigabyte of the cache


def place(image: Image, argv: Sequence[str], folder: Path) -> Path:
    """Where the state of such a machine is kept; `folder` is its own, whose name is no part of the key."""
    words = [_without_ports(word.replace(str(folder), "")) for word in argv]
    return image.disk.parent / f"booted-{digest(words)}"


def restore(kept: Path, folder: Path) -> list[str]:
    """Gives the machine in `folder` the root disk of `kept`; QEMU's arguments to go on from there."""
    shutil.copy(kept / "root.qcow2", folder / "root.qcow2")
    return ["-incoming", f"exec:cat {kept / 'state'}"]


def keep(kept: Path, folder: Path, qmp: Qmp) -> None:
    """Keep the running machine in `folder` as it is now; it goes on afterwards."""
    partial = cache_folder() / f"{kept.name}-{folder.name}.partial"
    partial.mkdir()
    qmp.execute("stop")
    try:
        qmp.execute("migrate", uri=f"exec:cat > {partial / 'state'}")
        _wait_for_migration(qmp)
        shutil.copy(folder / "root.qcow2", partial / "root.qcow2")
    finally:
        qmp.execute("cont")
    with contextlib.suppress(OSError):  # another one was quicker
        partial.rename(kept)
        return
    shutil.rmtree(partial, ignore_errors=True)


def _wait_for_migration(qmp: Qmp) -> None:
    deadline = time.monotonic() + LIMIT_S
    while (status := qmp.execute("query-migrate").get("status")) != "completed":
        if status == "failed" or time.monotonic() > deadline:
            raise OSError(f"QEMU could not write its state: {status}")
        time.sleep(0.2)


def _without_ports(word: str) -> str:
    """A word of QEMU's arguments without the forwarded ports, which differ with each machine."""
    return word.partition(",hostfwd=")[0]
