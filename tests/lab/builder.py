"""Builds the lab's root file system and its bootable images, each once: see `cache`."""

import shutil
import uuid
from dataclasses import dataclass
from pathlib import Path

from tests.lab import recipe, trees
from tests.lab.cache import cache_folder, cached, digest, digest_of_folder, lock, prune

LATER_KERNEL = Path(__file__).with_name("later_kernel.sh")


@dataclass(frozen=True)
class Image:
    """A bootable root disk (raw ext4, no partition table) with its kernel and initramfs beside it."""

    disk: Path
    kernel: Path
    initrd: Path


def built_release() -> Path | None:
    """What `make release` made, if it did: the release that a lab machine runs unless set otherwise."""
    release = Path(__file__).parents[2] / "build" / "release"
    return release if release.exists() else None


def build_image(release: Path | None = None) -> Image:
    """The image with `release` installed by its own playbook; without a release a plain Debian with OpenZFS.

    A release is a folder with `ansible/site.yml` in it. Raises LabError.
    """
    with lock():
        name = image_name(release)
        keep_only(release)
        folder = cached(name, lambda new: _make_image(new, lab_tree(), release))
    return Image(folder / "root.img", folder / "vmlinuz", folder / "initrd.img")


def keep_only(release: Path | None) -> None:
    """Deletes what another recipe or another release left; every name starts with the recipe's key."""
    names = [_base_name(), _lab_name(), flash_tree_name(), later_kernel_name(), image_name(None)]
    if release:
        names += [image_name(release), flash_name(release), flash_name(release, plain=True)]
    prune(keep=lambda name: name in names if release else _ours(name))


def base_tree() -> Path:
    """Debian with OpenZFS and what the appliance needs."""
    return cached(_base_name(), trees.debootstrap)


def lab_tree() -> Path:
    """The same with what tests need."""
    return cached(_lab_name(), _make_lab_tree)


def image_name(release: Path | None) -> str:
    """The name of a lab machine's image in the cache."""
    if release is None:
        return f"{_lab_name()}-plain"
    return f"{_lab_name()}-{digest([trees.IN_TREE, digest_of_folder(release)])}"


def flash_tree_name() -> str:
    """The name of the tree that becomes an image for flash drives."""
    return f"{_key()}-flashtree-{digest(recipe.FLASH_PACKAGES)}"


def flash_name(release: Path, *, plain: bool = False) -> str:
    """The name of that image in the cache; `plain`: of the one without md."""
    here = Path(__file__).parent
    how = [(here / name).read_text() for name in ("appliance.py", "finish.sh", "trees.py")]
    kind = "-plain" if plain else ""
    return f"{flash_tree_name()}{kind}-{digest([how, digest_of_folder(release)])}"


def later_kernel_name() -> str:
    """The name of the kernel for updates in the cache."""
    return f"{_key()}-kernel-{digest(LATER_KERNEL.read_text())}"


def clean() -> None:
    """Deletes every tree and image that no machine uses; the SSH key stays."""
    with lock():
        prune(keep=lambda name: False)


def ssh_key() -> Path:
    """The private key that opens every machine of this cache; its public half lies beside it."""
    key = cache_folder() / "id_ed25519"
    if not key.exists():
        trees.call("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "nasweb-lab", "-f", str(key))
    return key


def _key() -> str:
    return digest(trees.debootstrap_argv())


def _ours(name: str) -> bool:
    return name.startswith(_key())


def _base_name() -> str:
    return f"{_key()}-tree"


def _lab_name() -> str:
    added = (recipe.LAB_PACKAGES, recipe.LAB_MASKED, recipe.LAB_DISABLED, recipe.LAB_FILES)
    return f"{_key()}-lab-{digest(added)}"


def _make_lab_tree(tree: Path) -> None:
    trees.copy(base_tree(), tree)
    trees.install_packages(tree, recipe.LAB_PACKAGES)
    trees.write(tree, recipe.LAB_FILES)
    trees.run(tree, "systemctl", "mask", *recipe.LAB_MASKED)
    each = 'for unit; do systemctl disable "$unit" || true; done'
    trees.run(tree, "sh", "-c", each, "sh", *recipe.LAB_DISABLED)
    trees.run(tree, "update-initramfs", "-u")


def _make_image(folder: Path, base: Path, release: Path | None) -> None:
    trees.need_host_tools()
    folder.mkdir()
    tree = folder / "tree"
    trees.copy(base, tree)
    if release:
        trees.install_release(tree, release)
    # With an empty machine id every boot of a fresh overlay is a "first boot", which enables all units again.
    (tree / "etc/machine-id").write_text(uuid.uuid4().hex + "\n")
    (tree / "root/.ssh").mkdir(mode=0o700, exist_ok=True)
    shutil.copy(ssh_key().with_suffix(".pub"), tree / "root/.ssh/authorized_keys")
    for file in ("vmlinuz", "initrd.img"):
        shutil.copy(tree / file, folder / file)
    size = f"{recipe.IMAGE_BYTES // 1024}k"
    trees.call("mkfs.ext4", "-q", "-L", "nas-root", "-d", str(tree), str(folder / "root.img"), size)
    shutil.rmtree(tree)
