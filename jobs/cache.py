"""The cached inventory: what reads and previews answer from. Only the worker replaces it."""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from threading import Lock
from typing import NamedTuple

import msgspec
from django.db import connection, transaction
from django.db.models import Q, QuerySet
from django.dispatch import Signal

from host.base import Host, UnknownFormat
from host.inventory import Inventory
from jobs.index import refreshing
from jobs.models import CachedInventory

# Sent once a probe has replaced the inventory, in its thread: what follows waits for no other.
probed = Signal()
_decoder = msgspec.json.Decoder(Inventory)
_lock = Lock()
_WRONG_CLOCK = timedelta(minutes=1)  # probes are shared: none is overtaken by so much


class _Known(NamedTuple):
    """What this process decoded last; its time is `as_of`."""

    digest: str
    as_of: datetime
    inventory: Inventory


_newest: _Known | None = None


def current() -> Inventory | None:
    """The newest inventory, without snapshots; None before the first probe.

    An idle machine has the same inventory again and again: it is decoded when it differs, and in
    between only its time is a new one.
    """
    global _newest
    # There is one row: to name it, and to have it sorted, takes longer than all else of this.
    row = next(iter(CachedInventory.objects.values_list("digest", "as_of")), None)
    if row is None:
        return None
    with _lock:
        known = _newest
    if known is None or known.digest != row[0]:
        whole = CachedInventory.objects.get(pk=1)
        inventory = _decoder.decode(zlib.decompress(bytes(whole.data)))
        known = _Known(whole.digest, whole.as_of, _at(inventory, whole.as_of))
    elif known.as_of != row[1]:
        known = _Known(row[0], row[1], _at(known.inventory, row[1]))
    with _lock:
        _newest = known
    return known.inventory


def store(inventory: Inventory, host: Host, *, announced: bool = True) -> None:
    """Keep `inventory`, and list the snapshots of datasets where they changed. Raises `UnknownFormat`.

    Unless the caller announces it later, that is done in between: to list snapshots may take many seconds,
    and an alert does not wait for it.
    """
    keep(inventory)
    if announced:
        announce()
    refreshing.refresh(inventory, host)


def announce() -> None:
    """Have followed what the newest probe found: incidents begin and end with it."""
    probed.send_robust(None)


def amend(complete: Callable[[Inventory], Inventory]) -> None:
    """Keep what `complete` makes of the cached inventory: what the database holds has changed, and plans know
    it at once. To probe the machine, which comes next, takes seconds."""
    inventory = current()
    if inventory is not None:
        keep(complete(inventory))


def keep(inventory: Inventory) -> None:
    """Replace the cache by `inventory`.

    An inventory older than the cached one is dropped: two refreshes may overtake each other. One that is
    older by far is not: then the clock was ahead, and is right again.
    Raises `UnknownFormat` for one that nobody could read again.
    """
    as_of = datetime.fromisoformat(inventory.as_of)
    data = msgspec.json.encode(msgspec.structs.replace(inventory, as_of=""))
    digest = hashlib.blake2b(data, digest_size=32).hexdigest()
    if not _is_as_before(digest, as_of):
        _replace(data, digest, as_of)


def _is_as_before(digest: str, as_of: datetime) -> bool:
    """Whether just the time of what is stored is another, which it has then."""
    with _lock:
        known = _newest
    if known is not None and known.digest != digest:
        return False
    with _unforced():
        return _older(as_of).filter(digest=digest).update(as_of=as_of) > 0


@contextmanager
def _unforced() -> Iterator[None]:
    """A write that a power cut may take with it: the kernel writes it when it writes anyway.

    Each one that is forced out costs a flash drive several times its size. What is written later is
    never on the disk before it, and the file stays whole: https://sqlite.org/pragma.html#pragma_synchronous.
    """
    if connection.in_atomic_block:  # SQLite changes it between transactions only
        yield
        return
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA synchronous=NORMAL")
        try:
            yield
        finally:
            cursor.execute("PRAGMA synchronous=FULL")


def _replace(data: bytes, digest: str, as_of: datetime) -> None:
    global _newest
    try:
        known = _Known(digest, as_of, _at(_decoder.decode(data), as_of))
    except msgspec.ValidationError as error:
        # Whoever reads the cache could not: the older inventory is the better one.
        raise UnknownFormat(f"What the machine reported does not fit: {error}") from None
    # A thousand datasets are 6 MB of JSON and a fifteenth of that like this, on what may be a flash drive.
    small = zlib.compress(data, 1)
    with transaction.atomic():
        stored = _older(as_of).update(as_of=as_of, data=small, digest=digest)
        if not stored and not CachedInventory.objects.filter(pk=1).exists():
            CachedInventory.objects.create(pk=1, as_of=as_of, data=small, digest=digest)
            stored = 1
    if stored:
        with _lock:
            _newest = known


def _older(as_of: datetime) -> QuerySet[CachedInventory]:
    wrong = Q(as_of__gt=as_of + _WRONG_CLOCK)
    return CachedInventory.objects.filter(Q(as_of__lte=as_of) | wrong, pk=1)


def _at(inventory: Inventory, as_of: datetime) -> Inventory:
    return msgspec.structs.replace(inventory, as_of=as_of.isoformat(timespec="milliseconds"))
