"""What the machine says of its swap."""

from __future__ import annotations

from host.base import CommandFailed, Host
from host.commands.datasets.mounting import UNITS
from host.commands.system.swap import FSTAB, PROC_SWAPS, SWAP_UNIT, ZRAM_CONF, SwapFiles, ZramProgram
from host.inventory import Swap, SwapSpace
from host.lines import by_path


def read_swap(host: Host) -> Swap:
    """What is swapped to; nothing where the machine does not report it. Raises `HostError`."""
    try:
        files, program = host.run(SwapFiles()).stdout, host.run(ZramProgram()).stdout
    except CommandFailed:
        return Swap()
    return parse_swap(files, program)


def parse_swap(files: str, program: str) -> Swap:
    """From lines behind their paths and NUL, and from the path of zram's generator, if it is there."""
    found = by_path(files)
    tables = (line.split() for line in found.get(FSTAB, ()) if not line.lstrip().startswith("#"))
    zram = any(line.strip().startswith("[zram") for line in found.get(ZRAM_CONF, ()))
    return Swap(
        spaces=tuple(_space(line) for line in found.get(PROC_SWAPS, ())[1:]),
        zram_installed=bool(program.strip()),
        zram_set=zram and bool(program.strip()),
        raid0_set=f"{UNITS}/{SWAP_UNIT}" in found,
        fstab=tuple(words[0] for words in tables if words[2:3] == ["swap"]),
    )


def _space(line: str) -> SwapSpace:
    """`/dev/zram0 partition 4026528 0 100`: KiB; a space in a file's name is written as \\040."""
    path, _, size, used, *_ = line.split()
    return SwapSpace(
        path=path.replace("\\040", " ").removesuffix("\\040(deleted)"),
        size_bytes=int(size) << 10,
        used_bytes=int(used) << 10,
    )
