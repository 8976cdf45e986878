"""configuration.copies and configuration.copy: which copies lie on the pools, and what is in one."""

from __future__ import annotations

from secrets import token_hex
from typing import Annotated

import msgspec
from msgspec import Meta

from host import typed
from host.backup.manifest import Checked, KeptPeople, Listing, Manifest
from host.backup.names import CopyName
from host.base import CommandFailed, Host
from host.commands.copies import CheckCopy, ListCopies
from host.inventory import Inventory
from host.system.own_datasets import of_pool
from jobs import cache
from jobs.plan import Refused
from jobs.planning.findings import fault
from machine.backup import content
from machine.backup.status import shelf, unreachable

COPY = "configuration.copy"
UploadId = Annotated[str, Meta(pattern=r"\A[0-9a-f]{32}\Z")]
PoolText = Annotated[str, Meta(max_length=255)]


class AskCopies(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The copies on all imported pools, or on one."""

    pool: PoolText | None = None


class CopyAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """One copy. `ours`: this installation made it. Without a manifest it cannot be read: `problem` says why.

    `holds` counts what is in it. `fits` is false for one of a newer release, which cannot be restored here.
    """

    name: str
    size_bytes: int
    problem: str | None
    host: str | None = None
    version: str | None = None
    made_at: str | None = None
    secrets: bool | None = None
    ours: bool | None = None
    fits: bool | None = None
    holds: dict[str, int] = {}


class PoolCopies(msgspec.Struct, frozen=True, kw_only=True):
    """The copies on one pool, newest first; `problem` says why they cannot be reached."""

    pool: str
    copies: tuple[CopyAnswer, ...]
    problem: str | None


class Copies(msgspec.Struct, frozen=True, kw_only=True):
    """Pool by pool."""

    results: tuple[PoolCopies, ...]


class AskCopy(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One copy on a pool, by its name or the newest, or one that was sent to the console."""

    pool: PoolText | None = None
    copy: CopyName | None = None
    upload: UploadId | None = None


class CopyContent(msgspec.Struct, frozen=True, kw_only=True):
    """A copy that was read whole, every hash compared. `too_new` are migrations unknown to this release."""

    copy: CopyAnswer
    name: str
    manifest: Manifest
    people: KeptPeople
    too_new: tuple[str, ...]


def answer(request: AskCopies, host: Host) -> Copies:
    """Raises `Refused` for a pool that is not there, `HostError`."""
    inventory = cache.current()
    pools = inventory.pools if inventory else ()
    if request.pool is not None:
        pools = tuple(pool for pool in pools if pool.name == request.pool)
        if not pools:
            raise Refused((fault("unknown-pool", "pool", f"There is no pool {request.pool}."),))
    if inventory is None:
        return Copies(results=())
    return copies_of(msgspec.structs.replace(inventory, pools=pools), host, origin=_origin())


def copies_of(inventory: Inventory, host: Host, *, origin: str | None) -> Copies:
    """The copies on its pools; `origin` is this installation's, None if not known. Raises `HostError`."""
    found = []
    for pool in inventory.pools:
        why = unreachable(pool, inventory)
        if why is None and shelf(pool, inventory) is not None:
            found.append(_of_pool(pool.name, host, origin))
        else:
            found.append(PoolCopies(pool=pool.name, copies=(), problem=why))
    return Copies(results=tuple(found))


def answer_one(request: AskCopy, host: Host) -> CopyContent:
    """Raises `Refused` for a copy that is not there or not whole, `HostError`."""
    return read_copy(request, host, origin=_origin())


def read_copy(request: AskCopy, host: Host, *, origin: str | None) -> CopyContent:
    """As `answer_one`, without this installation's database. Raises the same."""
    report = typed.decode(host.run(_check(request)).stdout, Checked)
    if report.manifest is None:
        raise Refused((fault(f"copy-{report.problem or 'broken'}", "copy", report.why),))
    return CopyContent(
        copy=_shown(report.name, 0, report.manifest, origin),
        name=report.name,
        manifest=report.manifest,
        people=report.people,
        too_new=content.unknown(report.manifest.schema),
    )


def _check(request: AskCopy) -> CheckCopy:
    if (request.pool is None) == (request.upload is None):
        raise Refused((fault("one-of", "pool", "Name either a pool or an uploaded backup."),))
    dataset = None if request.pool is None else of_pool(request.pool)
    return CheckCopy(dataset=dataset, copy=request.copy, upload=request.upload, key=token_hex(8))


def _origin() -> str:
    return content.settings_row().origin


def _of_pool(pool: str, host: Host, origin: str | None) -> PoolCopies:
    try:
        said = host.run(ListCopies(dataset=of_pool(pool), key=token_hex(8))).stdout
    except CommandFailed as error:
        return PoolCopies(pool=pool, copies=(), problem=str(error))
    listing = typed.decode(said, Listing)
    if listing.problem is not None and listing.problem != "none":
        return PoolCopies(pool=pool, copies=(), problem=listing.why)
    copies = tuple(
        _shown(one.name, one.size_bytes, one.manifest, origin)
        if one.manifest
        else CopyAnswer(name=one.name, size_bytes=one.size_bytes, problem=one.why)
        for one in listing.copies
    )
    return PoolCopies(pool=pool, copies=copies, problem=None)


def _shown(name: str, size_bytes: int, manifest: Manifest, origin: str | None) -> CopyAnswer:
    return CopyAnswer(
        name=name,
        size_bytes=size_bytes,
        problem=None,
        host=manifest.host,
        version=manifest.version,
        made_at=manifest.made_at,
        secrets=manifest.secrets,
        ours=None if origin is None else manifest.origin == origin,
        fits=not content.unknown(manifest.schema),
        holds=manifest.holds,
    )
