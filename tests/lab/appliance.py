"""The image that an owner writes to a flash drive: `make image`.

The tree is the lab's, its partitions are laid out here, and what only a kernel can do (the md array, GRUB) is
done by the tree's own kernel in a virtual machine that runs one script and turns itself off: see `finish.sh`.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import uuid
from dataclasses import dataclass
from pathlib import Path

from tests.lab import recipe, trees
from tests.lab.accelerator import accelerator
from tests.lab.builder import Image, base_tree, built_release, flash_name, flash_tree_name, keep_only
from tests.lab.cache import cached, lock
from tests.lab.trees import LabError

MIB = 1 << 20
IMAGE_MIB = 3584  # fits what is sold as 4 GB
ROOT_MIB = (
    IMAGE_MIB - 131
)  # what is left of it after the two small partitions, less a MiB for the table's copy
# In front of the data of an md array with metadata 1.2: the superblock, and the bitmap.
DATA_OFFSET_MIB = 4
FINISH_TIMEOUT_S = 1200
_DONE = b"The image is complete."
_RAID, _LINUX = "A19D880F-05FC-4D3B-A006-743F0F84911E", "0FC63DAF-8483-4772-8E79-3D69D8477DE4"
_TABLE = f"""label: gpt
start=1MiB, size=1MiB, type=21686148-6449-6E6F-744E-656564454649, name=bios
start=2MiB, size=128MiB, type=C12A7328-F81F-11D2-BA4B-00A0C93EC93B, name=esp
start=130MiB, size={ROOT_MIB}MiB, type={_RAID}, name=root
"""


@dataclass(frozen=True)
class FlashImage:
    """A raw disk that starts by itself, from a BIOS and from UEFI."""

    disk: Path


def build_flash_image(*, plain: bool = False) -> FlashImage:
    """The image with what `make release` made. Raises LabError.

    `plain`: its root is on the partition itself, without md, as Debian's installer leaves it.
    """
    release = built_release()
    if release is None:
        raise LabError("There is no release to put into the image. Run: make release")
    with lock():
        keep_only(release)
        folder = cached(flash_name(release, plain=plain), lambda new: _make(new, release, plain=plain))
    return FlashImage(folder / "nasweb.img")


def _make(folder: Path, release: Path, *, plain: bool) -> None:
    trees.need_host_tools()
    folder.mkdir()
    tree, array, root = folder / "tree", uuid.uuid4(), uuid.uuid4()
    trees.copy(cached(flash_tree_name(), _make_tree), tree)
    words = (f"nasweb_flash_array={_md_uuid(array)}", f"nasweb_flash_root={root}", '{"nasweb_flash": true}')
    trees.install_release(tree, release, *(word for extra in words for word in ("--extra-vars", extra)))
    _make_anonymous(tree)
    trees.run(tree, "update-initramfs", "-u")
    shutil.copy(Path(__file__).with_name("finish.sh"), tree / "root/finish.sh")
    files = Image(folder / "root.ext4", folder / "vmlinuz", folder / "initrd.img")
    for file in (files.kernel, files.initrd):
        shutil.copy(tree / file.name, file)
    size = f"{(ROOT_MIB - DATA_OFFSET_MIB - 1) * 1024}k"
    trees.call(
        "mkfs.ext4", "-q", "-L", "nasweb", "-U", str(root), "-m", "2", "-d", str(tree), str(files.disk), size
    )
    shutil.rmtree(tree)
    disk = folder / "nasweb.img"
    disk.touch()
    os.truncate(disk, IMAGE_MIB * MIB)
    table = _TABLE.replace(_RAID, _LINUX) if plain else _TABLE
    subprocess.run(["sfdisk", "--quiet", str(disk)], input=table, text=True, check=True)
    _finish(files, disk, "none" if plain else _md_uuid(array))
    for file in (files.disk, files.kernel, files.initrd):
        file.unlink()


def _make_tree(tree: Path) -> None:
    trees.copy(base_tree(), tree)
    # systemd-resolved makes this link, and would have to replace a file that is in use while it is installed.
    (tree / "etc/resolv.conf").unlink(missing_ok=True)
    (tree / "etc/resolv.conf").symlink_to("../run/systemd/resolve/stub-resolv.conf")
    trees.install_packages(tree, recipe.FLASH_PACKAGES)


def _make_anonymous(tree: Path) -> None:
    """Nothing by which two machines from one image would be the same, and no trace of how it was made."""
    for key in (tree / "etc/ssh").glob("ssh_host_*"):
        key.unlink()
    (tree / "etc/machine-id").write_text("uninitialized\n")
    (tree / "etc/hostid").unlink(missing_ok=True)
    shutil.rmtree(tree / "root/release")
    for left in (*(tree / "var/log").rglob("*.log"), *(tree / "var/lib/apt/lists").glob("*_*")):
        left.unlink()


def _finish(plain: Image, disk: Path, array: str) -> None:
    """Start the tree's kernel on the plain file system, read-only, and let it write the flash image.

    `array`: the UUID of its md array as mdadm writes it, or “none”.
    """
    console = disk.with_name("console.log")
    append = f"root=/dev/vda ro console=ttyS0 panic=1 quiet init=/root/finish.sh ARRAY={array}"
    argv = [
        "setpriv", "--pdeathsig", "KILL", "qemu-system-x86_64", *accelerator(plain), "-cpu", "max",
        "-M", "q35", "-m", "1024", "-smp", "2", "-nodefaults", "-display", "none", "-no-reboot",
        "-kernel", str(plain.kernel), "-initrd", str(plain.initrd), "-append", append,
        "-serial", f"file:{console}", "-device", "virtio-rng-pci",
        "-drive", f"file={plain.disk},if=virtio,format=raw,readonly=on",
        "-drive", f"file={disk},if=virtio,format=raw,cache=unsafe,discard=unmap,detect-zeroes=unmap",
    ]  # fmt: skip
    subprocess.run(argv, check=True, stdin=subprocess.DEVNULL, timeout=FINISH_TIMEOUT_S)
    said = console.read_bytes()
    if _DONE not in said:
        raise LabError(f"The image could not be finished:\n{said[-4000:].decode(errors='replace')}")
    console.unlink()


def _md_uuid(array: uuid.UUID) -> str:
    """As mdadm writes it."""
    return ":".join(array.hex[start : start + 8] for start in range(0, 32, 8))
