"""Lights that show a disk go off again: when their time is over, and whenever the worker starts."""

from __future__ import annotations

from datetime import timedelta

import structlog
from django.utils import timezone

from disks.models import DiskRecord
from host.base import Host, HostError
from host.commands.closed import AnyCommand
from host.commands.disks.enclosure import SlotLight
from host.commands.disks.leds import LedLight
from host.commands.units import StopUnit
from host.inventory import Inventory
from jobs import cache

_TRIED_FOR = timedelta(hours=1)
_log = structlog.get_logger("lights")


def switch(light: str, *, on: bool) -> AnyCommand:
    """The command for a light: the folder of an enclosure's slot, or the link of a disk that ledctl shows."""
    return LedLight(disk=light, on=on) if light.startswith("/dev/") else SlotLight(path=light, on=on)


def end_due(host: Host) -> bool:
    """Switch off what has shown itself long enough; True where something was. Blinking ends by itself."""
    ended = False
    due = DiskRecord.objects.filter(located_until__lte=timezone.now())
    for record in due:
        # ledctl finds a light by its disk alone: without the disk, nothing can be switched any more.
        lost = record.gone_since is not None and record.light_path.startswith("/dev/")
        dark = not record.light_path or lost or _run(host, switch(record.light_path, on=False))
        if dark or _given_up(record):
            # Only this due time: the disk may have been asked to show itself again meanwhile.
            same = DiskRecord.objects.filter(pk=record.pk, located_until=record.located_until)
            ended = bool(same.update(located_until=None, light_path="")) or ended
    return ended


def _given_up(record: DiskRecord) -> bool:
    """Whether a light that cannot be switched is tried no more: its slot is gone, or an hour is over."""
    if record.located_until is not None and timezone.now() - record.located_until > _TRIED_FOR:
        return True
    inventory = cache.current()
    if inventory is None or record.light_path.startswith("/dev/"):
        return False
    slots = {slot.path for enclosure in inventory.enclosures for slot in enclosure.slots}
    return record.light_path not in slots


def end_all(host: Host, inventory: Inventory) -> None:
    """Switch off everything: whoever asked for it may be gone since, as the worker was."""
    kept = DiskRecord.objects.exclude(light_path="").values_list("light_path", flat=True)
    lit = {slot.path for enclosure in inventory.enclosures for slot in enclosure.slots if slot.locating}
    lit |= {disk.link for disk in inventory.disks if disk.led and disk.links}
    for light in sorted(lit | set(kept)):
        _run(host, switch(light, on=False))
    for unit in inventory.units:
        if unit.kind == "blink" and unit.state == "running":
            _run(host, StopUnit(kind="blink", serial=unit.serial))
    DiskRecord.objects.filter(located_until__isnull=False).update(located_until=None, light_path="")


def _run(host: Host, command: AnyCommand) -> bool:
    try:
        host.run(command)
    except HostError as error:
        _log.warning("a light stays as it is", error=str(error))
        return False
    return True
