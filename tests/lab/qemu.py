"""QEMU's arguments: the chassis, and how a disk's file becomes a drive."""

import base64
import json
import shutil
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Literal

from tests.lab import rescue
from tests.lab.accelerator import TCG, accelerator
from tests.lab.builder import Image
from tests.lab.disks import Disk

Firmware = Literal["bios", "uefi"]
UEFI_CODE, UEFI_STORE = Path("/usr/share/OVMF/OVMF_CODE_4M.fd"), Path("/usr/share/OVMF/OVMF_VARS_4M.fd")

# Fixed addresses, so that /dev/disk/by-path names the same port on every boot. Room for 24 SATA disks.
SLOTS = (
    "-device", "virtio-net-pci,netdev=lan,addr=0x3",
    "-device", "virtio-rng-pci,addr=0x4",
    "-device", "virtio-scsi-pci,id=scsi0,addr=0x5",
    "-device", "qemu-xhci,id=xhci,addr=0x6,p2=8,p3=8",
    "-device", "ich9-ahci,id=ahci0,addr=0x8",
    "-device", "ich9-ahci,id=ahci1,addr=0x9",
    "-device", "ich9-ahci,id=ahci2,addr=0xa",
    "-device", "ich9-ahci,id=ahci3,addr=0xb",
)  # fmt: skip

# panic: emulation now and then trips the guest's kernel while it starts; then it starts once more by itself.
# norandmaps: emulation translates a program anew at each address where that runs; at a fixed one, two to
# three times as many start in the same time.
KERNEL = f"root=/dev/vda rw console=ttyS0 systemd.show_status=0 panic=2 norandmaps {rescue.KERNEL_ARGUMENT}"
# Five levels of page tables and the guards of each access to memory are what emulation does by hand.
PROCESSOR = "max,la57=off,smap=off,smep=off,pku=off"


def chassis(folder: Path, ports: Mapping[int, int]) -> list[str]:
    """The machine without any disk. `ports` maps a port of the guest to one of this host's loopback."""
    forwards = "".join(f",hostfwd=tcp:127.0.0.1:{ours}-:{theirs}" for theirs, ours in ports.items())
    return [
        "-cpu", PROCESSOR, "-M", "q35", "-nodefaults", "-display", "none",
        "-chardev", f"file,id=console,path={folder}/console.log,append=on", "-serial", "chardev:console",
        *rescue.serial_port(folder),
        "-qmp", f"unix:{folder}/qmp,server=on,wait=off",
        "-netdev", f"user,id=lan{forwards}",
        *SLOTS,
    ]  # fmt: skip


def root_disk(image: Image, folder: Path, masked: Sequence[str] = ()) -> list[str]:
    """The lab's own root disk, started without a boot loader, and without these units."""
    return [
        *accelerator(image), "-kernel", str(image.kernel), "-initrd", str(image.initrd),
        "-append", " ".join([KERNEL, *(f"systemd.mask={unit}" for unit in masked)]),
        # Unsafe for the host's own crash only, and several times faster.
        "-drive", f"file={folder}/root.qcow2,if=none,id=root,format=qcow2,cache=unsafe,discard=unmap",
        "-device", "virtio-blk-pci,drive=root,addr=0x2",
    ]  # fmt: skip


def own_firmware(firmware: Firmware, folder: Path, key: str) -> list[str]:
    """A machine that starts from its own disks. `key` may open it: systemd takes it, the wish for an SSH
    server, and what `KERNEL` says of addresses, from the firmware's tables (SMBIOS type 11), so that
    the disks are as their owner made them."""
    words = list(TCG)
    wishes = {
        "ssh.authorized_keys.root": key,
        "sysctl.extra": "kernel.randomize_va_space=0\n",
        "systemd.unit-dropin.multi-user.target": "[Unit]\nWants=ssh.service\n",
    }
    for name, text in wishes.items():
        encoded = base64.b64encode(text.encode()).decode()
        words += ["-smbios", f"type=11,value=io.systemd.credential.binary:{name}={encoded}"]
    if firmware == "uefi":
        store = folder / "firmware.fd"
        if not store.exists():
            shutil.copy(UEFI_STORE, store)
        words += ["-drive", f"if=pflash,format=raw,unit=0,readonly=on,file={UEFI_CODE}"]
        words += ["-drive", f"if=pflash,format=raw,unit=1,file={store}"]
    return words


def disk_arguments(disks: Iterable[Disk], folder: Path) -> list[str]:
    """The data disks that are in when the machine is turned on."""
    words: list[str] = []
    for disk in disks:
        words += ["-blockdev", json.dumps(block_device(disk, folder)), "-device", json.dumps(disk.device())]
    return words


def block_device(disk: Disk, folder: Path) -> dict[str, object]:
    """The disk's file, in the form that both `-blockdev` and QMP's `blockdev-add` take."""
    return {
        "driver": "raw",
        "node-name": f"{disk.id}-data",
        "discard": "unmap",
        "cache": {"direct": False, "no-flush": True},
        "file": {"driver": "file", "filename": str(folder / f"{disk.id}.disk"), "discard": "unmap"},
    }


def make_overlay(image: Image, overlay: Path) -> None:
    """A root disk of one machine's own on top of the image, which stays clean."""
    make = ["qemu-img", "create", "-q", "-f", "qcow2", "-F", "raw", "-b", str(image.disk), str(overlay)]
    subprocess.run(make, check=True)
