"""What is done about alerts periodically. Only values in memory and counters are read; no disk is woken."""

from __future__ import annotations

from math import inf
from threading import Lock
from time import monotonic
from typing import Any

import msgspec
import structlog
from celery import shared_task
from celery.signals import worker_init
from django.utils import timezone

from alerts import array_reports, arrays_checked, arrays_seen
from alerts.channels import delivering, keys, locked, notifying
from alerts.channels.words import Message
from alerts.digest import queueing as regular
from alerts.doctor import space
from alerts.gathering import gather
from alerts.incidents import recording, silent, slow
from alerts.live import watching
from alerts.memory import MemorySlot, slots
from alerts.models import ArrayCare
from alerts.ping import pinging
from alerts.slow.figures import Figures, loads
from alerts.slow.rules import Slower, slower_disks, unmeasured
from alerts.zed import reports, story
from alerts.zed.classes import matters
from host.base import Host, HostError
from host.commands.disks.md import MdEvents
from host.commands.pools.events import ZedEvents
from host.inventory import Inventory, MdEvent, ZedEvent, leaves
from host.probe.disks.md_events import parse_md_events
from host.probe.pools.zed_events import parse_zed_events
from jobs import cache, engine
from jobs.operation import the_host

_log = structlog.get_logger("alerts")
_SLOW_MINUTES = 10
_COUNTED_EVERY_S = 15.0
_UNPROBED_S = 300.0  # a probe comes every 15 seconds; some patience with a busy machine
_one_at_a_time = Lock()
_one_notifier = Lock()
_one_listener = Lock()
_one_pinger = Lock()
_one_of_zed = Lock()


class _Seen:
    """What the last tick read, in this one worker."""

    inventory: Inventory | None = None
    as_of: str = ""
    unsure: frozenset[str] = frozenset()
    said: str = ""
    zed: str = ""
    counted: float = -inf  # when what zed reported was written down last
    slow: tuple[Slower, ...] = ()
    unmeasured: frozenset[str] | None = None  # guids of leaves; None before the first comparison
    memory: tuple[MemorySlot, ...] = ()
    fresh: float = monotonic()  # when there was a new probe last, or the worker started


@worker_init.connect
def follow_probes(**_: Any) -> None:
    """From the worker's start on incidents are recorded at the end of each probe."""
    cache.probed.connect(watch_probed, weak=False)


def watch_probed(**_: Any) -> None:
    """In the thread that probed: while a machine answers slowly, all of the clock's may wait for a probe."""
    watch()


@shared_task(name="alerts.tasks.watch")
def watch() -> None:
    """Record what the newest probe of the machine found, or that there is none for minutes."""
    with _one_at_a_time:
        inventory = cache.current()
        if inventory is not None and inventory is not _Seen.inventory:
            _follow(inventory)
        if _waited_s() >= _UNPROBED_S:
            recording.report(silent.unprobed(_Seen.as_of), timezone.now())


def _waited_s() -> float:
    """How long there has been no new probe, whatever became of the clock."""
    return monotonic() - _Seen.fresh


def _follow(inventory: Inventory) -> None:
    """With `_one_at_a_time` held."""
    arrays_seen.keep(inventory)
    arrays_checked.keep(inventory)
    # After a job only what it touched is read anew: such an inventory bears the time of the rest,
    # and confirms nothing that was seen once.
    before = _Seen.unsure if inventory.as_of != _Seen.as_of else frozenset()
    evidence = msgspec.structs.replace(
        gather(inventory), slow=_Seen.slow, memory_slots=_Seen.memory, undecided=_undecided(inventory)
    )
    _Seen.unsure = recording.follow(inventory, evidence, before)
    story.attach()
    if inventory.as_of != _Seen.as_of:
        _Seen.fresh = monotonic()
    _Seen.inventory, _Seen.as_of = inventory, inventory.as_of


def _undecided(inventory: Inventory) -> frozenset[str]:
    """Keys of causes: a disk that is idle, or that was not compared yet, is as slow as it was."""
    found = _Seen.unmeasured
    if found is None:
        found = frozenset(leaf.guid for pool in inventory.pools for top in pool.vdevs for leaf in leaves(top))
    return frozenset(map(slow.key_of, found))


@shared_task(name="alerts.tasks.compare")
def compare() -> None:
    """Compare each disk with the others of its vdev, and count errors of memory: reported with the next
    probe."""
    if (inventory := cache.current()) is not None:
        figures = Figures(disks=loads(inventory, timezone.now(), _SLOW_MINUTES))
        _Seen.slow = tuple(slower_disks(inventory, figures))
        _Seen.unmeasured = unmeasured(inventory, figures)
        _Seen.memory = slots(inventory.facts.booted, timezone.now())


@shared_task(name="alerts.tasks.read_md_events")
def read_md_events() -> None:
    """Keep what mdadm's monitor reported, and probe the whole machine at once if that is new.

    One at a time: a probe may take longer than the next tick, which would record the same again.
    """
    inventory = cache.current()
    if inventory is None or not (inventory.arrays or ArrayCare.objects.exists()):
        return
    if not _one_listener.acquire(blocking=False):
        return
    try:
        host = the_host()
        said = host.run(MdEvents()).stdout
        if said != _Seen.said and (events := array_reports.unknown(parse_md_events(said))):
            _keep(events, inventory, host)
        _Seen.said = said
    except HostError as error:
        _log.warning("cannot read what mdadm reported", error=str(error))
    finally:
        _one_listener.release()


def _keep(events: tuple[MdEvent, ...], before: Inventory, host: Host) -> None:
    """Raises `HostError` where the machine cannot be probed: by an old probe the words would be wrong."""
    if not engine.refresh(host) or (now := cache.current()) is None:
        raise HostError("The machine cannot be probed now.")
    found = tuple(array_reports.in_words(one, before, now) for one in events)
    array_reports.keep(found)
    watch()  # an incident that begins with this is there before the event is added
    with _one_at_a_time:
        for one in found:
            recording.add_event(f"array:{one.uuid}", one.at, one.words)
            array = next((array for array in now.arrays if array.uuid == one.uuid), None)
            if one.event.event == "RebuildFinished" and array is not None:
                arrays_checked.note_event(array, one.at)


@shared_task(name="alerts.tasks.read_zed_events")
def read_zed_events() -> None:
    """Keep what zed reported of pools, and probe the whole machine at once if something new matters.

    What is only counted on needs no probe of its own, the next one is seconds away, and is written down four
    times a minute at most: a disk may fail for days, and the system's drive is to outlive it.
    """
    inventory = cache.current()
    if inventory is None or not inventory.pools or not _one_of_zed.acquire(blocking=False):
        return
    try:
        host = the_host()
        said = host.run(ZedEvents()).stdout
        if said == _Seen.zed or not (events := reports.news(parse_zed_events(said))):
            _Seen.zed = said
        elif (unknown := reports.unknown(events)) or monotonic() - _Seen.counted >= _COUNTED_EVERY_S:
            _keep_zed(events, unknown, inventory, host)
            _Seen.zed, _Seen.counted = said, monotonic()
    except HostError as error:
        _log.warning("cannot read what zed reported", error=str(error))
    finally:
        _one_of_zed.release()


def _keep_zed(
    events: tuple[ZedEvent, ...], unknown: tuple[ZedEvent, ...], before: Inventory, host: Host
) -> None:
    """Raises `HostError` where the machine cannot be probed: these events are read again then. Once it could
    not be for minutes, they are kept with what was known last."""
    now = before
    if any(matters(one) for one in unknown) and _waited_s() < _UNPROBED_S:
        if not engine.refresh(host) or (probed := cache.current()) is None:
            raise HostError("The machine cannot be probed now.")
        now = probed
    reports.keep(events, before, now, gather(now))
    with _one_at_a_time:
        if now is before or now.as_of < _Seen.as_of:
            story.attach()
        else:
            _follow(now)  # once more after the probe: what zed reported is evidence, too


@shared_task(name="alerts.tasks.tell")
def tell() -> None:
    """Notify people of what became of the incidents; while a server is slow the next ticks do nothing."""
    if not _one_notifier.acquire(blocking=False):
        return
    try:
        notifying.queue(timezone.now())
        delivering.deliver(timezone.now(), _send)
    finally:
        _one_notifier.release()


@shared_task(name="alerts.tasks.prepare_messages")
def prepare_messages() -> None:
    """Publish the key that secrets of channels are sealed for, and queue the digests that are due.

    Apart from `tell`: that would ask the database for all this every few seconds, and a digest that cannot be
    made may hold nothing serious back.
    """
    try:
        keys.publish()
        locked.examine(keys.private_key())
    except OSError as error:
        _log.warning("no key for the secrets of channels", error=str(error))
    regular.queue(timezone.now())


def _send(kind: str, values: dict[str, str], message: Message) -> str:
    # Not above: the web process imports this module too, and the worker of a machine without channels needs
    # the 20 MB of Apprise as little.
    from alerts.channels.sending import send

    return send(kind, values, message)


@shared_task(name="alerts.tasks.ping")
def ping() -> None:
    """Tell the other side that all is well, if it is; not behind a mail server that hangs."""
    if not _one_pinger.acquire(blocking=False):
        return
    try:
        pinging.tick(timezone.now())
    finally:
        _one_pinger.release()


@shared_task(name="alerts.tasks.measure")
def measure() -> None:
    """Record how full each pool is."""
    if (inventory := cache.current()) is not None:
        space.keep(inventory)


@shared_task(name="alerts.tasks.sample_watched")
def sample_watched() -> None:
    """Ask the pools that somebody watches what they do; starts nothing when nobody watches."""
    if (inventory := cache.current()) is not None:
        watching.sample(the_host(), inventory)
