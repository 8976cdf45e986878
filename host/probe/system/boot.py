"""Parsers of what the next start of the machine will find."""

from __future__ import annotations

import re
from typing import cast, get_args

from host.base import Host, HostError
from host.commands.system.boot import ZED_UNIT, BootMenu, CachedPools, ImportUnits, InstalledKernels
from host.inventory import BootImport, Kernel, Service

_IMAGE = re.compile(r"^/boot/vmlinuz-(\S+)$")
_MODULE = re.compile(r"^/lib/modules/([^/]+)/.*/zfs\.ko(?:\.\w+)?$")
_ENTRY = re.compile(r"^\s*linux\s+\S*/vmlinuz-(\S+)")
_FIRST = 'set default="0"'
_STATES = {"enabled-runtime": "enabled", "static": "disabled", "masked": "disabled", "": "missing"}
_KNOWN = get_args(Service)
# There is no cache file, or ZFS emptied it when the last pool left it.
_NO_POOLS = ("No such file or directory", "failed to unpack nvlist")


def read_kernels(host: Host) -> tuple[Kernel, ...]:
    """The installed kernels, newest first; none where they cannot be read."""
    try:
        return parse_installed_kernels(host.run(InstalledKernels()).stdout)
    except HostError:
        return ()


def parse_installed_kernels(text: str) -> tuple[Kernel, ...]:
    """From paths of kernel images and of ZFS modules. A module whose kernel was removed is nothing."""
    lines = text.splitlines()
    versions = [found[1] for line in lines if (found := _IMAGE.match(line))]
    modules = {found[1] for line in lines if (found := _MODULE.match(line))}
    return tuple(
        Kernel(version=version, zfs_module=version in modules)
        for version in sorted(versions, key=_age, reverse=True)
    )


def _age(version: str) -> list[tuple[int, str]]:
    """Numbers compare as numbers: 6.12.9 is older than 6.12.10."""
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in re.findall(r"\d+|\D+", version)]


def read_next_kernel(host: Host) -> str | None:
    """The kernel that starts next, where GRUB's menu shows it."""
    try:
        return parse_boot_menu(host.run(BootMenu()).stdout)
    except HostError:
        return None


def parse_boot_menu(text: str) -> str | None:
    """The kernel of the first entry, if that is the default; another default stays unknown."""
    lines = text.splitlines()
    if not any(line.strip() == _FIRST for line in lines):
        return None
    return next((found[1] for line in lines if (found := _ENTRY.match(line))), None)


def read_boot_import(host: Host) -> BootImport | None:
    """How pools are imported at the start; None where systemd does not report it."""
    try:
        said = host.run(ImportUnits()).stdout
        cache, scan, mount, watch = parse_import_units(said)
    except (HostError, ValueError):
        return None
    return BootImport(
        from_cache=cache, by_scan=scan, mounting=mount, cached=_read_cached(host), watching=watch,
        watched=parse_active(said, ZED_UNIT),
    )  # fmt: skip


def parse_import_units(text: str) -> tuple[Service, ...]:
    """The state of each unit, in the order in which they were asked for."""
    words = [line.partition("=")[2] for line in text.splitlines() if line.startswith("UnitFileState=")]
    states = [_STATES.get(word, word) for word in words]
    return tuple(cast("Service", state) if state in _KNOWN else "unknown" for state in states)


def parse_active(text: str, unit: str) -> bool | None:
    """Whether `unit` runs; None where systemd does not say so."""
    for block in text.split("\n\n"):
        said = dict(line.split("=", 1) for line in block.splitlines() if "=" in line)
        if said.get("Id") == unit and said.get("ActiveState"):
            return said["ActiveState"] in {"active", "reloading"}
    return None


def _read_cached(host: Host) -> tuple[str, ...] | None:
    try:
        result = host.run(CachedPools())
    except HostError:
        return None
    if result.exit and not any(words in result.stdout + result.stderr for words in _NO_POOLS):
        return None
    return parse_cached_pools(result.stdout)


def parse_cached_pools(text: str) -> tuple[str, ...]:
    """The guids of the pools, from the configurations that zdb prints one below the other."""
    return tuple(re.findall(r"^ {4}pool_guid: ([0-9]+)$", text, re.MULTILINE))
