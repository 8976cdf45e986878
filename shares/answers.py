"""Shares as the API and the pages show them: what is stored, with its state now."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any, Literal

import msgspec

from host.inventory import Inventory, NfsClient, NfsShare, SharingSettings, SmbShare
from host.inventory.shares import Encryption, Guests, Purpose, SharingFile, SharingService
from shares.applying import drifted
from shares.nfs.render import mount_line
from shares.serving import standing
from shares.smb.render import machine_name, sections

State = Literal["served", "waiting", "off", "not-served"]


class SmbShareAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """A share of SMB. `state`: served; waiting for its file system; off; not-served: it should be."""

    name: str
    dataset: str
    path: str | None
    state: State
    why: str
    purpose: Purpose
    comment: str
    enabled: bool
    read: tuple[str, ...]
    write: tuple[str, ...]
    guests: Guests
    hidden: bool
    previous_versions: bool
    recycle_bin: bool
    audit: bool
    macos: bool
    case_sensitive: bool
    encryption: Encryption
    most_bytes: int | None
    extra: dict[str, str]


class NfsShareAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """An export of NFS. `mount` is what is typed on a client."""

    id: int
    dataset: str
    path: str | None
    state: State
    why: str
    mount: str | None
    enabled: bool
    clients: tuple[NfsClient, ...]
    below: bool


class SharingAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """What holds for all shares, the services, and our files that somebody changed by hand."""

    as_of: str
    settings: SharingSettings
    name: str  # of the machine in SMB
    services: dict[SharingService, str]
    drift: tuple[SharingFile, ...]


def smb_answer(share: SmbShare, inventory: Inventory) -> SmbShareAnswer:
    """A share with its state now."""
    found = standing(share, inventory)
    running = inventory.served.services.get("smbd") == "active"
    there = share.name in _written(inventory.served.files.get("samba", ""))
    state, why = _state(found.why, found.words, served=running and there)
    known: dict[str, Any] = msgspec.structs.asdict(share)
    fields = {name: known[name] for name in SmbShareAnswer.__struct_fields__ if name in known}
    return SmbShareAnswer(**fields, path=found.place, state=state, why=why)


def nfs_answer(share: NfsShare, inventory: Inventory) -> NfsShareAnswer:
    """An export with its state now."""
    found = standing(share, inventory)
    running = inventory.served.services.get("nfs-server") == "active"
    state, why = _state(found.why, found.words, served=running and found.place in inventory.served.exported)
    return NfsShareAnswer(
        id=share.id,
        dataset=share.dataset,
        path=found.place,
        state=state,
        why=why,
        mount=mount_line(share, found.place, inventory.facts.name) if found.place else None,
        enabled=share.enabled,
        clients=share.clients,
        below=share.below,
    )


def sharing_answer(inventory: Inventory) -> SharingAnswer:
    """The settings for all shares, with the state of the services."""
    return SharingAnswer(
        as_of=inventory.as_of,
        settings=inventory.sharing.settings,
        name=machine_name(inventory.sharing.settings, inventory.facts.name),
        services=inventory.served.services,
        drift=drifted(inventory),
    )


def called(inventory: Inventory) -> Iterator[tuple[str, State, str]]:
    """Every share in words, with its state and why that is so."""
    for share in inventory.sharing.smb:
        smb = smb_answer(share, inventory)
        yield f"SMB: {smb.name}", smb.state, smb.why
    for export in inventory.sharing.nfs:
        nfs = nfs_answer(export, inventory)
        yield f"NFS: {nfs.dataset}", nfs.state, nfs.why


@lru_cache(maxsize=2)
def _written(text: str) -> frozenset[str]:
    """The sections of our file, read once for all shares that are asked for."""
    return frozenset(sections(text))


def _state(why: str | None, words: str, *, served: bool) -> tuple[State, str]:
    if why == "off":
        return "off", words
    if why is not None:
        return "waiting", words
    if served:
        return "served", ""
    return (
        "not-served",
        "It should be served but is not. Apply the shares again; the plan shows what differs.",
    )
