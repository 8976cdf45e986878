"""A kernel for updates: newer than that of the trees, with the module of OpenZFS that DKMS built for it."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import NamedTuple

from tests.lab import trees
from tests.lab.builder import LATER_KERNEL, base_tree, later_kernel_name
from tests.lab.cache import cached, lock


class Kernel(NamedTuple):
    """Debian's packages of a kernel, and an archive of what DKMS made for it, from the root folder."""

    version: str  # as `uname -r` says
    packages: Path  # the folder
    module: Path


def later_kernel() -> Kernel:
    """The newest of Debian's backports that the trees' OpenZFS knows. Compiles natively; raises LabError."""
    with lock():
        folder = cached(later_kernel_name(), _make)
    version = (folder / "version").read_text().strip()
    return Kernel(version, folder / "packages", folder / "module.tar")


def _make(folder: Path) -> None:
    trees.need_host_tools()
    tree = folder.with_name(f"{folder.name}.tree.partial")
    trees.copy(base_tree(), tree)
    shutil.copy(LATER_KERNEL, tree / "root/later.sh")
    trees.run(tree, "sh", "/root/later.sh")
    shutil.move(tree / "later", folder)
    shutil.rmtree(tree)
