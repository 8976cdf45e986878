"""Builds the lab's root file system and its bootable images, each once, into the user's cache folder."""

import contextlib
import fcntl
import hashlib
import json
import os
import shlex
import shutil
import subprocess
import uuid
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.lab import recipe

HOST_TOOLS = {
    "mmdebstrap": "mmdebstrap",
    "qemu-system-x86_64": "qemu-system-x86",
    "qemu-img": "qemu-utils",
    "mkfs.ext4": "e2fsprogs",
    "ssh": "openssh-client",
}

# The mounts live in a namespace of their own: whatever happens to the command, the host never sees them.
IN_TREE = """
set -e
mount -t proc proc "$1/proc"
mount --rbind /sys "$1/sys"
mount --rbind /dev "$1/dev"
mount -t tmpfs tmpfs "$1/run"
mount --bind /etc/resolv.conf "$1/etc/resolv.conf"
tree=$1; shift
exec chroot "$tree" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 \
    DEBIAN_FRONTEND=noninteractive "$@"
"""


class LabError(Exception):
    """The laboratory cannot do what was asked; the message is one sentence for a person."""


@dataclass(frozen=True)
class Image:
    """A bootable root disk (raw ext4, no partition table) with its kernel and initramfs beside it."""

    disk: Path
    kernel: Path
    initrd: Path


def cache_folder() -> Path:
    """The folder that holds the trees, the images and the SSH key; made when missing."""
    home = Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache").expanduser()
    folder = home / "nasweb" / "lab"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def ssh_key() -> Path:
    """The private key that opens every machine of this cache; its public half lies beside it."""
    key = cache_folder() / "id_ed25519"
    if not key.exists():
        _call("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "nasweb-lab", "-f", str(key))
    return key


def build_image(release: Path | None = None) -> Image:
    """The image with `release` installed by its own playbook; without a release a plain Debian with OpenZFS.

    A release is a folder with `ansible/site.yml` in it. Raises LabError.
    """
    with _lock():
        # Every name starts with the recipe's key, so what another recipe left behind is told by its name.
        recipe_key = _digest(_debootstrap_argv())
        names = [f"{recipe_key}-tree", f"{recipe_key}-plain"]
        names += [f"{recipe_key}-{_digest_of_folder(release)}"] if release else []
        _prune(keep=lambda name: name in names if release else name.startswith(recipe_key))
        base = _cached(names[0], _debootstrap)

        def fill(folder: Path) -> None:
            folder.mkdir()
            tree = folder / "tree"
            _call("cp", "-a", "--reflink=auto", str(base), str(tree))
            if release:
                _install(release, tree)
            _finish(tree)
            for file in ("vmlinuz", "initrd.img"):
                shutil.copy(tree / file, folder / file)
            disk = folder / "root.img"
            _call(
                "mkfs.ext4",
                "-q",
                "-L",
                "nas-root",
                "-d",
                str(tree),
                str(disk),
                f"{recipe.IMAGE_BYTES // 1024}k",
            )
            shutil.rmtree(tree)

        folder = _cached(names[-1], fill)
    return Image(folder / "root.img", folder / "vmlinuz", folder / "initrd.img")


def clean() -> None:
    """Deletes every tree and image; the SSH key stays."""
    with _lock():
        _prune(keep=lambda name: False)


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


def _install(release: Path, tree: Path) -> None:
    """Runs the release's own playbook inside the tree, natively: emulated it takes many times longer."""
    target = tree / "root" / "release"
    shutil.copytree(release, target, symlinks=True)
    # Nothing may start in a chroot: it would run on the host and hold its ports.
    policy = tree / "usr/sbin/policy-rc.d"
    policy.write_text("#!/bin/sh\nexit 101\n")
    policy.chmod(0o755)
    playbook = "/root/release/ansible/site.yml"
    _call_in(tree, "ansible-playbook", "-i", "localhost,", "-c", "local", playbook)
    policy.unlink()


def _finish(tree: Path) -> None:
    # With an empty machine id every boot of a fresh overlay is a "first boot", which enables all units again.
    (tree / "etc/machine-id").write_text(uuid.uuid4().hex + "\n")
    ssh = tree / "root/.ssh"
    ssh.mkdir(mode=0o700, exist_ok=True)
    shutil.copy(ssh_key().with_suffix(".pub"), ssh / "authorized_keys")


def _call_in(tree: Path, *argv: str) -> None:
    # A PID namespace as well, so that daemons started by accident die with the command.
    _call(
        "unshare", "--mount", "--pid", "--fork", "--kill-child", "sh", "-c", IN_TREE, "sh", str(tree), *argv
    )


def _call(*argv: str) -> None:
    done = subprocess.run(argv, check=False)
    if done.returncode:
        raise LabError(f"`{argv[0]}` failed with exit code {done.returncode}; its output is above.")


def _need_host_tools() -> None:
    missing = sorted({package for tool, package in HOST_TOOLS.items() if not shutil.which(tool)})
    if os.geteuid() != 0:
        raise LabError("Building the laboratory's image needs root, because the files in it belong to root.")
    if missing:
        _call(
            "apt-get", "-o", "DPkg::Lock::Timeout=600", "install", "-y", "--no-install-recommends", *missing
        )


def _cached(name: str, fill: Callable[[Path], None]) -> Path:
    """The cache entry `name`; made under another name first, so a killed build leaves nothing half done."""
    entry = cache_folder() / name
    if not entry.exists():
        partial = cache_folder() / f"{name}.partial"
        shutil.rmtree(partial, ignore_errors=True)
        fill(partial)
        partial.rename(entry)
    return entry


def _prune(*, keep: Callable[[str], bool]) -> None:
    for folder in cache_folder().iterdir():
        if folder.is_dir() and not keep(folder.name):
            shutil.rmtree(folder)


@contextlib.contextmanager
def _lock() -> Iterator[None]:
    with (cache_folder() / "lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _digest(value: object) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()[:16]


def _digest_of_folder(folder: Path) -> str:
    files: Sequence[Path] = sorted(path for path in folder.rglob("*") if path.is_file())
    return _digest(
        [IN_TREE]
        + [[str(path.relative_to(folder)), hashlib.sha256(path.read_bytes()).hexdigest()] for path in files]
    )
