"""What the helper refuses on a simulated machine before a program is started (`host.exclusive`)."""

from __future__ import annotations

from collections.abc import Iterator

from host.commands.base import Command
from host.exclusive import refused
from host.holders import held_words, holder_words
from host.simulated.blocks.devices import Device, busy, devices
from host.simulated.refusal import Refusal
from host.simulated.state import Holder, Machine, Signature
from host.simulated.units import burning


def check(machine: Machine, command: Command) -> None:
    """Raises `Refusal` where the helper would not start it."""
    if (held := refusal(machine, command)) is not None:
        raise Refusal(held)


def refusal(machine: Machine, command: Command) -> str | None:
    """Why `command` would not be started."""
    links = command.exclusive_disks()
    if not links:
        return None
    known = devices(machine)
    arrays = {f"/dev/disk/by-id/{name}": one for one in machine.holders.values() for name in one.ids}
    for link in links:
        if link in arrays:
            if _used(arrays[link].content):
                return refused(link)
        elif (device := known.get(link)) is not None:
            names = {holder_words(one.kind, one.name) for one in _holders(machine, device, command)}
            if names:
                return refused(link, held_words(sorted(names)))
            if not command.shares_disks and (busy(device) or burning(machine, device.disk)):
                return refused(link)
    return None


def _holders(machine: Machine, device: Device, command: Command) -> Iterator[Holder]:
    disk = device.disk
    yield from (machine.holders[name] for name in disk.held)
    whole = device.partition is None
    inside = [part.content for part in disk.partitions] if whole and not command.shares_disks else []
    own = [] if whole else [disk.content]
    for content in (device.content, *inside, *own):
        if content is not None and content.holder is not None:
            yield machine.holders[content.holder]


def _used(content: Signature | None) -> bool:
    return content is not None and bool(content.mountpoints or content.holder or content.busy)
