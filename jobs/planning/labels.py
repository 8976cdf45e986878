"""What the labels of disks say of pools that are not imported. Reading them wakes every disk, so it is
done only when somebody asks, and the answer is stored with its age."""

from __future__ import annotations

from datetime import datetime

import msgspec
import structlog
from django.db import transaction

from host.base import Host, HostError
from host.inventory import Importable, Inventory
from host.probe.pools.importable import scan_for_pools
from jobs.models import CachedImportable

_log = structlog.get_logger("labels")
_decoder = msgspec.json.Decoder(Importable)
_MOST_LOSSES = 20


def known() -> Importable | None:
    """What the last search found; None before the first."""
    data = CachedImportable.objects.filter(pk=1).values_list("data", flat=True).first()
    return None if data is None else _decoder.decode(bytes(data))


def problem() -> str:
    """Why the last search failed; empty when it did not."""
    return CachedImportable.objects.filter(pk=1).values_list("problem", flat=True).first() or ""


def with_known(inventory: Inventory) -> Inventory:
    """`inventory` with what the last search found."""
    return msgspec.structs.replace(inventory, importable=known())


def with_fresh(inventory: Inventory, host: Host, *, losses_of: tuple[str, ...]) -> Inventory:
    """`inventory` with what the labels say now. Raises `HostError`."""
    found = scan_for_pools(host, losses_of=losses_of)
    _keep(found)
    return msgspec.structs.replace(inventory, importable=found)


def want_loss_of(guid: str) -> None:
    """Let the next search find out what a rewind of that pool would give up, which can take minutes."""
    with transaction.atomic():
        row, _ = CachedImportable.objects.get_or_create(pk=1)
        wanted = [other for other in row.losses_wanted if other != guid]
        row.losses_wanted = [*wanted, guid][-_MOST_LOSSES:]
        row.save(update_fields=["losses_wanted"])


def search(host: Host) -> bool:
    """Read the labels and store what they say. False when the machine cannot be asked; why is stored too."""
    row = CachedImportable.objects.filter(pk=1).first()
    try:
        _keep(scan_for_pools(host, losses_of=row.losses_wanted if row else ()))
    except HostError as error:
        _log.warning("cannot search for pools", error=str(error))
        CachedImportable.objects.update_or_create(pk=1, defaults={"problem": str(error)})
        return False
    return True


def _keep(found: Importable) -> None:
    # What a rewind would cost is asked once: it holds as long as nobody imports the pool.
    CachedImportable.objects.update_or_create(
        pk=1,
        defaults={
            "as_of": datetime.fromisoformat(found.as_of),
            "data": msgspec.json.encode(found),
            "losses_wanted": [],
            "problem": "",
        },
    )
