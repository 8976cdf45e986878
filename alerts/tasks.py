"""What is done about alerts by the clock. Only values in memory and counters are read; no disk is woken."""

from __future__ import annotations

from threading import Lock

import structlog
from celery import shared_task
from django.utils import timezone

from alerts import array_reports as arrays_told
from alerts import arrays_checked, arrays_seen
from alerts.channels import delivering, keys, locked, notifying
from alerts.channels.words import Message
from alerts.doctor import space
from alerts.gathering import gather
from alerts.incidents import recording
from alerts.live import watching
from alerts.models import ArrayCare
from host.base import Host, HostError
from host.commands.disks.md import MdEvents
from host.inventory import Inventory, MdEvent
from host.probe.disks.md_events import parse_md_events
from jobs import cache, engine
from jobs.operation import the_host

_log = structlog.get_logger("alerts")
_one_at_a_time = Lock()
_one_teller = Lock()
_one_listener = Lock()


class _Seen:
    """What the last tick went by, in this one worker."""

    inventory: Inventory | None = None
    as_of: str = ""
    unsure: frozenset[str] = frozenset()
    told: str = ""


@shared_task(name="alerts.tasks.watch")
def watch() -> None:
    """Tell what the newest look at the machine found; nothing where there is no newer one."""
    inventory = cache.current()
    if inventory is None or inventory is _Seen.inventory or not _one_at_a_time.acquire(blocking=False):
        return
    try:
        _follow(inventory)
    finally:
        _one_at_a_time.release()


def _follow(inventory: Inventory) -> None:
    """With `_one_at_a_time` held."""
    arrays_seen.keep(inventory)
    arrays_checked.keep(inventory)
    # After a job only what it touched is read anew: such an inventory bears the time of the rest,
    # and confirms nothing that was seen once.
    before = _Seen.unsure if inventory.as_of != _Seen.as_of else frozenset()
    _Seen.unsure = recording.follow(inventory, gather(inventory), before)
    _Seen.inventory, _Seen.as_of = inventory, inventory.as_of


@shared_task(name="alerts.tasks.hear")
def hear() -> None:
    """Keep what mdadm's monitor told, and look at the whole machine at once if it told something new.

    One at a time: a look may take longer than the next tick, which would tell the same again.
    """
    inventory = cache.current()
    if inventory is None or not (inventory.arrays or ArrayCare.objects.exists()):
        return
    if not _one_listener.acquire(blocking=False):
        return
    try:
        host = the_host()
        said = host.run(MdEvents()).stdout
        if said != _Seen.told and (events := arrays_told.unknown(parse_md_events(said))):
            _keep(events, inventory, host)
        _Seen.told = said
    except HostError as error:
        _log.warning("cannot read what mdadm told", error=str(error))
    finally:
        _one_listener.release()


def _keep(events: tuple[MdEvent, ...], before: Inventory, host: Host) -> None:
    """Raises `HostError` where the machine cannot be looked at: by an old look the words would be wrong."""
    if not engine.refresh(host) or (now := cache.current()) is None:
        raise HostError("The machine cannot be looked at now.")
    found = tuple(arrays_told.in_words(one, before, now) for one in events)
    arrays_told.keep(found)
    with _one_at_a_time:
        if now.as_of > _Seen.as_of:
            _follow(now)  # an incident that begins with this is there before it is told on
        for one in found:
            recording.told(f"array:{one.uuid}", one.at, one.words)
            array = next((array for array in now.arrays if array.uuid == one.uuid), None)
            if one.event.event == "RebuildFinished" and array is not None:
                arrays_checked.hear(array, one.at)


@shared_task(name="alerts.tasks.tell")
def tell() -> None:
    """Tell people what the incidents came to; a slow server keeps no further tick waiting."""
    if not _one_teller.acquire(blocking=False):
        return
    try:
        _publish()
        notifying.tell(timezone.now())
        delivering.deliver(timezone.now(), _send)
    finally:
        _one_teller.release()


def _publish() -> None:
    try:
        keys.publish()
        locked.examine(keys.private_key())
    except OSError as error:
        _log.warning("no key for the secrets of channels", error=str(error))


def _send(kind: str, values: dict[str, str], message: Message) -> str:
    # Not above: the web process imports this module too, and the worker of a machine without channels needs
    # the 20 MB of Apprise as little.
    from alerts.channels.sending import send

    return send(kind, values, message)


@shared_task(name="alerts.tasks.measure")
def measure() -> None:
    """Take down how full each pool is."""
    if (inventory := cache.current()) is not None:
        space.keep(inventory)


@shared_task(name="alerts.tasks.look")
def look() -> None:
    """Ask the pools that somebody looks at what they do; starts nothing when nobody looks."""
    if (inventory := cache.current()) is not None:
        watching.sample(the_host(), inventory)
