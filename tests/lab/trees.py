"""Root file systems: Debian with OpenZFS, what is added, and the release that its own playbook installs."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
from collections.abc import Iterable, Mapping
from pathlib import Path

from tests.lab import recipe

HOST_TOOLS = {
    "mmdebstrap": "mmdebstrap",
    "qemu-system-x86_64": "qemu-system-x86",
    "qemu-img": "qemu-utils",
    "mkfs.ext4": "e2fsprogs",
    "sfdisk": "fdisk",
    "ssh": "openssh-client",
    "systemd-nspawn": "systemd-container",
    "/usr/share/OVMF/OVMF_CODE_4M.fd": "ovmf",
}

# The mounts live in a namespace of their own: whatever happens to the command, the host never sees them.
IN_TREE = r"""
set -e
mount -t proc proc "$1/proc"
mount --rbind /sys "$1/sys"
mount --rbind /dev "$1/dev"
mount -t tmpfs tmpfs "$1/run"
if [ -L "$1/etc/resolv.conf" ]; then
    mkdir -p "$1/run/systemd/resolve"
    cp /etc/resolv.conf "$1/run/systemd/resolve/stub-resolv.conf"
else
    mount --bind /etc/resolv.conf "$1/etc/resolv.conf"
fi
# A network that inspects TLS has its own authority, which only this host trusts.
certificates=/run/host-certificates.crt
cp /etc/ssl/certs/ca-certificates.crt "$1$certificates"
tree=$1; shift
exec chroot "$tree" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 \
    DEBIAN_FRONTEND=noninteractive SSL_CERT_FILE=$certificates PIP_CERT=$certificates "$@"
"""


class LabError(Exception):
    """The lab cannot do what was asked; the message is for a person."""


def debootstrap(tree: Path) -> None:
    """Debian by mmdebstrap, which mounts what the chroot needs in a namespace of its own."""
    need_host_tools()
    call(*debootstrap_argv(), str(tree))


def debootstrap_argv() -> list[str]:
    """What makes the base of all trees."""
    hooks = [
        # Natively in the chroot: inside the emulated machine this compiles for over an hour.
        f'chroot "$1" apt-get install -y --no-install-recommends {" ".join(recipe.ZFS_PACKAGES)}',
        # DKMS reports a failed build as a warning; without the module the machine would be no NAS.
        'chroot "$1" modinfo -k "$(ls "$1/lib/modules")" -F version zfs',
        'chroot "$1" systemctl enable systemd-networkd ssh',
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


def copy(base: Path, tree: Path) -> None:
    """A tree of one's own."""
    call("cp", "-a", "--reflink=auto", str(base), str(tree))


def write(tree: Path, files: Mapping[str, str]) -> None:
    """Files by their paths in the tree; what was there before is replaced, also where it was a link."""
    for name, text in files.items():
        path = tree / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.unlink(missing_ok=True)
        path.write_text(text)


def install_packages(tree: Path, packages: Iterable[str]) -> None:
    """From Debian's archive, without what they merely recommend."""
    run(tree, "apt-get", "update", "-qq")
    run(tree, "apt-get", "install", "-y", "-qq", "--no-install-recommends", *packages)
    run(tree, "apt-get", "clean")


def install_release(tree: Path, release: Path, *words: str) -> None:
    """Runs the release's own playbook inside the tree, natively: emulated it takes many times longer."""
    shutil.copytree(release, tree / "root/release", symlinks=True)
    run(tree, "ansible-playbook", "-i", "localhost,", "-c", "local", *words, "/root/release/ansible/site.yml")


def run(tree: Path, *argv: str) -> None:
    """A command in the tree. Nothing may start there: it would run on the host and hold its ports."""
    policy = tree / "usr/sbin/policy-rc.d"
    policy.write_text("#!/bin/sh\nexit 101\n")
    policy.chmod(0o755)
    # A PID namespace as well, so that what starts all the same dies with the command.
    call("unshare", "--mount", "--pid", "--fork", "--kill-child", "sh", "-c", IN_TREE, "sh", str(tree), *argv)
    policy.unlink()


def call(*argv: str) -> None:
    """A command on the host. Raises LabError where it fails."""
    done = subprocess.run(argv, check=False)
    if done.returncode:
        raise LabError(
            f"`{shlex.join(argv[:2])}` failed with exit code {done.returncode}; its output is above."
        )


def need_host_tools() -> None:
    """Installs what is missing where that can be done. Raises LabError where it cannot."""
    if os.geteuid() != 0:
        raise LabError("Building the lab's image needs root, because the files in it belong to root.")
    missing = sorted(
        {package for tool, package in HOST_TOOLS.items() if not (shutil.which(tool) or Path(tool).exists())}
    )
    if missing and shutil.which("apt-get"):
        options = ("-o", "DPkg::Lock::Timeout=600", "--no-install-recommends")
        call("apt-get", "install", "-y", *options, *missing)
    elif missing:
        raise LabError(f"The lab needs these packages, as Debian names them: {', '.join(missing)}.")
