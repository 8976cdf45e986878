"""Whether the system can be copied, found out before anything is touched."""

from __future__ import annotations

from contextlib import suppress
from typing import Literal, NamedTuple, NoReturn

import msgspec

from host import typed
from host.base import CommandFailed, Host
from host.commands.system.convert_program import (
    ArrayDetail,
    FileSystemTag,
    ListDevice,
    MountsOf,
    RootSource,
)
from host.inventory.conversion import Conversion
from host.programs.boot_convert.devices import parse_findmnt, parse_lsblk
from host.programs.boot_convert.failing import Refused
from host.programs.boot_convert.system import System, read
from host.programs.boot_convert.texts import array_uuid

What = Literal["copy", "restart"]
_SECURE_BOOT_AT = 4  # of the variable's bytes, behind its attributes
_reports = msgspec.json.Decoder(Conversion)


class Setup(NamedTuple):
    """What is copied from where to where."""

    root: str  # the partition with the running system
    parts: frozenset[str]  # its disk, and all that is on it
    array: str  # the device that is copied to
    array_uuid: str
    file_system: str  # UUID of the ext4 on it
    disk: str  # the array's, by its link


def probe(system: System, host: Host, what: What, link: str, disk: str) -> Setup:
    """Raises `Refused`, `HostError`, `msgspec.DecodeError`."""
    array = system.resolve(link) or _refuse(f"There is no array {link}.")
    target = system.resolve(disk) or _refuse(f"There is no disk {disk}.")
    root, whole = _root(host)
    if whole == target:
        _refuse(f"The running system is on {disk} itself.")
    below = parse_lsblk(host.run(ListDevice(device=array, inverse=True)).stdout)
    if target not in {one.path for one in below}:
        _refuse(f"{link} is not on {disk}.")
    if parse_findmnt(host.run(MountsOf(device=array)).stdout):
        _refuse(f"{link} is mounted.")
    if host.run(FileSystemTag(device=array, tag="TYPE")).stdout.strip() != "ext4":
        _refuse(f"There is no ext4 on {link}.")
    file_system = host.run(FileSystemTag(device=array, tag="UUID")).stdout.strip()
    number = array_uuid(host.run(ArrayDetail(array=array)).stdout)
    if not file_system or number is None:
        _refuse(f"{link} or the ext4 on it has no UUID.")
    _check_start(system)
    if what == "restart" and not _copied(system, number):
        _refuse("There is no whole copy of the system.")
    parts = frozenset(one.path for one in parse_lsblk(host.run(ListDevice(device=whole)).stdout))
    return Setup(root, parts, array, number, file_system, disk)


def _root(host: Host) -> tuple[str, str]:
    """The partition of the running system, and its disk."""
    mounts = parse_findmnt(host.run(RootSource()).stdout)
    source = mounts[-1].source if mounts else ""
    try:
        devices = parse_lsblk(host.run(ListDevice(device=source, alone=True)).stdout)
    except CommandFailed:
        devices = ()  # no block device, such as a dataset of ZFS
    if not devices or devices[0].kind != "part":
        _refuse(f"The root is on {source}, which is no partition of a disk.")
    return source, devices[0].parent


def _check_start(system: System) -> None:
    """That the old system's GRUB can be made to start the copy once, and the copy with this kernel."""
    menu = read(system.path("/boot/grub/grub.cfg"))
    if "next_entry" not in menu or "custom.cfg" not in menu:
        _refuse("/boot/grub/grub.cfg is not as Debian makes it. Run update-grub first.")
    if not system.path(f"/boot/vmlinuz-{system.kernel}").exists():
        _refuse(f"The kernel that runs, {system.kernel}, is not in /boot. Restart the machine first.")
    if _secure_boot(system):
        _refuse(
            "Secure Boot is on: GRUB as it is written to the pair would not start. "
            "Turn it off in the firmware first."
        )


def _secure_boot(system: System) -> bool:
    for variable in system.path("/sys/firmware/efi/efivars").glob("SecureBoot-*"):
        with suppress(OSError):
            if variable.read_bytes()[_SECURE_BOOT_AT:][:1] == b"\1":
                return True
    return False


def _copied(system: System, array: str) -> bool:
    try:
        last = typed.decode_by(_reports, read(system.report))
    except msgspec.DecodeError:
        return False
    return last.state in {"copied", "restarting"} and last.array == array


def _refuse(why: str) -> NoReturn:
    raise Refused(why)
