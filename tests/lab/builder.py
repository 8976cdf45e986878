"""Builds the lab's root file system and its bootable images, each once: see `cache`."""

import os
import shlex
import shutil
import subprocess
import uuid
from dataclasses import dataclass
from pathlib import Path

from tests.lab import recipe
from tests.lab.cache import cache_folder, cached, digest, digest_of_folder, lock, prune

HOST_TOOLS = {
    "mmdebstrap": "mmdebstrap",
    "qemu-system-x86_64": "qemu-system-x86",
    "qemu-img": "qemu-utils",
    "mkfs.ext4": "e2fsprogs",
    "ssh": "openssh-client",
}

# The mounts live in a namespace of their own: whatever happens to the command, the host never sees them.
IN_TREE = r"""
set -e
mount -t proc proc "$1/proc"
mount --rbind /sys "$1/sys"
mount --rbind /dev "$1/dev"
mount -t tmpfs tmpfs "$1/run"
mount --bind /etc/resolv.conf "$1/etc/resolv.conf"
# A network that looks into TLS has its own authority, which only this host trusts.
certificates=/run/host-certificates.crt
cp /etc/ssl/certs/ca-certificates.crt "$1$certificates"
tree=$1; shift
exec chroot "$tree" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 \
    DEBIAN_FRONTEND=noninteractive SSL_CERT_FILE=$certificates PIP_CERT=$certificates "$@"
"""


class LabError(Exception):
    """The lab cannot do what was asked; the message is for a person."""


@dataclass(frozen=True)
class Image:
    """A bootable root disk (raw ext4, no partition table) with its kernel and initramfs beside it."""

    disk: Path
    kernel: Path
    initrd: Path


def built_release() -> Path | None:
    """What `make release` made, if it did: the release that a lab machine runs unless told otherwise."""
    release = Path(__file__).parents[2] / "build" / "release"
    return release if release.exists() else None


def build_image(release: Path | None = None) -> Image:
    """The image with `release` installed by its own playbook; without a release a plain Debian with OpenZFS.

    A release is a folder with `ansible/site.yml` in it. Raises LabError.
    """
    with lock():
        # Every name starts with the recipe's key, so what another recipe left behind is told by its name.
        key = digest(_debootstrap_argv())
        names = [f"{key}-tree", f"{key}-plain"]
        if release:
            names.append(f"{key}-{digest([IN_TREE, digest_of_folder(release)])}")
        prune(keep=lambda name: name in names if release else name.startswith(key))
        folder = cached(names[-1], lambda new: _make_image(new, cached(names[0], _debootstrap), release))
    return Image(folder / "root.img", folder / "vmlinuz", folder / "initrd.img")


def clean() -> None:
    """Deletes every tree and image that no machine uses; the SSH key stays."""
    with lock():
        prune(keep=lambda name: False)


def ssh_key() -> Path:
    """The private key that opens every machine of this cache; its public half lies beside it."""
    key = cache_folder() / "id_ed25519"
    if not key.exists():
        _call("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "nasweb-lab", "-f", str(key))
    return key


def _debootstrap(tree: Path) -> None:
    """Debian by mmdebstrap, which mounts what the chroot needs in a namespace of its own."""
    _need_host_tools()
    _call(*_debootstrap_argv(), str(tree))


def _debootstrap_argv() -> list[str]:
    hooks = [
        # Natively in the chroot: inside the emulated machine this compiles for over an hour.
        f'chroot "$1" apt-get install -y --no-install-recommends {" ".join(recipe.ZFS_PACKAGES)}',
        # DKMS reports a failed build as a warning; without the module the machine would be no NAS.
        'chroot "$1" modinfo -k "$(ls "$1/lib/modules")" -F version zfs',
        *(f'printf %s {shlex.quote(text)} > "$1/{path}"' for path, text in recipe.FILES.items()),
        f'chroot "$1" systemctl mask {" ".join(recipe.MASKED)}',
        *(f'chroot "$1" systemctl disable {unit} || true' for unit in recipe.DISABLED),
        'chroot "$1" systemctl enable systemd-networkd ssh',
        'chroot "$1" update-initramfs -u',
    ]
    return [
        "mmdebstrap",
        "--mode=root",
        "--variant=minbase",
        f"--components={recipe.COMPONENTS}",
        f"--include={','.join(recipe.PACKAGES)}",
        # The kernel fills /dev itself.
        "--skip=output/dev",
        *(f"--dpkgopt=path-exclude={path}" for path in recipe.LEFT_OUT),
        *(f"--customize-hook={hook}" for hook in hooks),
        recipe.SUITE,
    ]


def _make_image(folder: Path, base: Path, release: Path | None) -> None:
    _need_host_tools()
    folder.mkdir()
    tree = folder / "tree"
    _call("cp", "-a", "--reflink=auto", str(base), str(tree))
    if release:
        _install(release, tree)
    # With an empty machine id every boot of a fresh overlay is a "first boot", which enables all units again.
    (tree / "etc/machine-id").write_text(uuid.uuid4().hex + "\n")
    (tree / "root/.ssh").mkdir(mode=0o700, exist_ok=True)
    shutil.copy(ssh_key().with_suffix(".pub"), tree / "root/.ssh/authorized_keys")
    for file in ("vmlinuz", "initrd.img"):
        shutil.copy(tree / file, folder / file)
    size = f"{recipe.IMAGE_BYTES // 1024}k"
    _call("mkfs.ext4", "-q", "-L", "nas-root", "-d", str(tree), str(folder / "root.img"), size)
    shutil.rmtree(tree)


def _install(release: Path, tree: Path) -> None:
    """Runs the release's own playbook inside the tree, natively: emulated it takes many times longer."""
    shutil.copytree(release, tree / "root/release", symlinks=True)
    # Nothing may start in a chroot: it would run on the host and hold its ports.
    policy = tree / "usr/sbin/policy-rc.d"
    policy.write_text("#!/bin/sh\nexit 101\n")
    policy.chmod(0o755)
    # A PID namespace as well, so that what starts all the same dies with the playbook.
    enter = ("unshare", "--mount", "--pid", "--fork", "--kill-child", "sh", "-c", IN_TREE, "sh", str(tree))
    _call(*enter, "ansible-playbook", "-i", "localhost,", "-c", "local", "/root/release/ansible/site.yml")
    policy.unlink()


def _call(*argv: str) -> None:
    done = subprocess.run(argv, check=False)
    if done.returncode:
        raise LabError(f"`{argv[0]}` failed with exit code {done.returncode}; its output is above.")


def _need_host_tools() -> None:
    if os.geteuid() != 0:
        raise LabError("Building the lab's image needs root, because the files in it belong to root.")
    missing = sorted({package for tool, package in HOST_TOOLS.items() if not shutil.which(tool)})
    if missing and shutil.which("apt-get"):
        options = ("-o", "DPkg::Lock::Timeout=600", "--no-install-recommends")
        _call("apt-get", "install", "-y", *options, *missing)
    elif missing:
        raise LabError(f"The lab needs these packages, as Debian names them: {', '.join(missing)}.")
