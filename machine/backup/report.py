"""The state of the copies, as the API and the page show it."""

from __future__ import annotations

from datetime import datetime

import msgspec

from host.inventory import Inventory
from machine.backup import content
from machine.backup.listing import CopyAnswer, PoolCopies
from machine.backup.models import KeptOn, Restoration
from machine.backup.status import obstacle


class PoolStands(msgspec.Struct, frozen=True, kw_only=True):
    """One pool. `checked_at` is when its newest copy was written or last found to be whole; `current` that it
    holds all that is set now. `why_not` says why none can be written. `problem` says why those that are there
    cannot be reached.
    """

    pool: str
    checked_at: str | None
    current: bool
    why_not: str | None
    problem: str | None
    copies: tuple[CopyAnswer, ...]


class LastRestore(msgspec.Struct, frozen=True, kw_only=True):
    """The last time that a restored database was put in place, or could not be (`said` says why)."""

    at: str
    by: str
    host: str
    made_at: str
    succeeded: bool
    said: str
    kept_before: str  # the file beside the database that keeps the one before; empty where it failed


class CopiesAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """Whether copies are kept and with what, and the state of each pool."""

    enabled: bool
    secrets: bool
    results: tuple[PoolStands, ...]
    last_restore: LastRestore | None


class CopySettings(msgspec.Struct, frozen=True, kw_only=True):
    """Whether copies are kept on all pools, and whether passwords are in them."""

    enabled: bool
    secrets: bool


def copy_settings() -> CopySettings:
    """The stored settings."""
    row = content.settings_row()
    return CopySettings(enabled=row.enabled, secrets=row.secrets)


def copies_answer(found: tuple[PoolCopies, ...], inventory: Inventory) -> CopiesAnswer:
    """All of it, with the copies that were found on the pools."""
    row = content.settings_row()
    wanted = content.digest(inventory)
    by_pool = {one.pool: one for one in found}
    known = {one.pool_guid: one for one in KeptOn.objects.all()}
    stands = []
    for pool in inventory.pools:
        kept, seen = known.get(pool.guid), by_pool.get(pool.name)
        stands.append(
            PoolStands(
                pool=pool.name,
                checked_at=_iso(kept.checked_at) if kept else None,
                current=kept is not None and (kept.content, kept.secrets) == (wanted, row.secrets),
                why_not=obstacle(pool, inventory),
                problem=seen.problem if seen else None,
                copies=seen.copies if seen else (),
            )
        )
    last = Restoration.objects.first()
    return CopiesAnswer(
        enabled=row.enabled,
        secrets=row.secrets,
        results=tuple(stands),
        last_restore=_restore(last) if last else None,
    )


def _restore(row: Restoration) -> LastRestore:
    return LastRestore(
        at=_iso(row.at) or "", by=row.by, host=row.host, made_at=_iso(row.made_at) or "",
        succeeded=row.succeeded, said=row.said, kept_before=row.before,
    )  # fmt: skip


def _iso(moment: datetime | None) -> str | None:
    return None if moment is None else moment.isoformat().replace("+00:00", "Z")
