"""Makes a disk's activity light blink: a second of short reads, a second of rest, until the time is over.

`python -m host.programs.blink --disk LINK --serial SERIAL --seconds N` ends with 0 when the time is over or
it was stopped, with 3 when it refused before the first read, with 4 when the disk stopped answering.
It opens the disk for reading alone, and systemd lets it open no other, and this one not for writing.
"""

from __future__ import annotations

import argparse
import mmap
import os
import secrets
import sys
import time
from collections.abc import Callable

from host.base import Host, HostError
from host.inventory import Disk
from host.local import LocalHost
from host.probe.disks.smart import read_smart
from host.programs.device import Unfit, confirm, confirm_open, opened, size_of
from host.programs.signals import Stop, ready

REFUSED, UNANSWERED = 3, 4
_BEAT_S = 1.0
_PAUSE_S = 0.01  # between reads: it is seen all the same, and others get their turn
_READ = 64 << 10  # at a random place, so that the disk's own cache cannot answer


def refuse_asleep(host: Host, disk: Disk) -> None:
    """Raises `Unfit` for a disk in standby. One that does not say how it is may be read."""
    try:
        asleep = read_smart(host, disk).asleep
    except HostError:
        return
    if asleep:
        raise Unfit(f"{disk.link} is asleep, and is not woken for this.")


def flicker(
    descriptor: int, seconds: float, *, clock: Callable[[], float], wait: Callable[[float], bool]
) -> int:
    """Read and rest in turn for so long, or until `wait` says to stop; how many reads. Raises `OSError`."""
    places = max(1, size_of(descriptor) // _READ)
    buffer = mmap.mmap(-1, _READ)  # begins at a page, as direct reads must
    reads, end = 0, clock() + seconds
    while (now := clock()) < end:
        rest = min(now + _BEAT_S, end)
        while clock() < rest:
            os.preadv(descriptor, [buffer], secrets.randbelow(places) * _READ)
            reads += 1
            if wait(_PAUSE_S):
                return reads
        if wait(min(_BEAT_S, max(0.0, end - clock()))):
            break
    return reads


def main(arguments: list[str] | None = None, *, host: Host | None = None) -> int:
    """The exit status."""
    parser = argparse.ArgumentParser(prog="python -m host.programs.blink", description=__doc__)
    parser.add_argument("--disk", required=True, help="its link under /dev/disk/by-id")
    parser.add_argument("--serial", required=True, help="which must be the disk's")
    parser.add_argument("--seconds", required=True, type=int, choices=range(1, 601), metavar="1..600")
    asked = parser.parse_args(arguments)
    machine, stop = host or LocalHost(), Stop()
    try:
        with opened(asked.disk, os.O_RDONLY) as descriptor:
            disk = confirm(machine, asked.disk, asked.serial)
            confirm_open(descriptor, disk.path)
            refuse_asleep(machine, disk)
            ready()
            flicker(descriptor, asked.seconds, clock=time.monotonic, wait=stop.wait)
    except (Unfit, HostError) as refusal:
        sys.stderr.write(f"{refusal}\n")
        return REFUSED
    except OSError as error:
        sys.stderr.write(f"{asked.disk} does not answer: {error.strerror}.\n")
        return UNANSWERED
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
