"""Shares and exports as values for the eye."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from frontend.sorting import Column
from frontend.states import StateView, Tone, tone_view
from host.commands.shares.sharing import PATHS
from host.inventory import Inventory, NfsShare, SmbShare
from host.inventory.people import EVERYBODY
from host.inventory.shares import SharingService
from jobs.wording import counted
from shares.answers import NfsShareAnswer, SmbShareAnswer, State, nfs_answer, smb_answer
from shares.applying import drifted
from shares.links import export_href, share_href
from shares.purposes import PURPOSES
from shares.smb.checks import foreign_sections

_STATES: dict[State, tuple[Tone, str]] = {
    "served": ("good", "served"),
    "waiting": ("warn", "waiting"),
    "off": ("idle", "off"),
    "not-served": ("bad", "not served"),
}
_PURPOSES = {one.name: one.title for one in PURPOSES}
_MOST_NAMES = 3
_NO_SHARES = {"global", "homes", "printers", "print$"}  # of Debian's smb.conf: none is a share of somebody
_SERVICES: tuple[tuple[SharingService, str, str], ...] = (
    ("smbd", "Samba does not run", "No SMB share can be reached."),
    ("nfs-server", "The NFS server does not run", "No NFS export can be reached."),
    (
        "wsdd2",
        "The announcement for Windows does not run",
        "Shares work, but Windows does not list this NAS.",
    ),
)


class ShareRow(msgspec.Struct, frozen=True, kw_only=True):
    """A share or an export in one line."""

    name: str
    href: str
    dataset: str
    known: bool  # whether the dataset is there, under that name
    who: str
    purpose: str
    state: StateView
    why: str


class Notice(msgspec.Struct, frozen=True, kw_only=True):
    """Something that stands in the way of all shares; `mends` where writing the files again helps."""

    title: str
    words: str
    tone: Tone
    mends: bool


COLUMNS: dict[str, Column[Callable[[ShareRow], Any]]] = {
    "name": Column("Share", lambda row: row.name.casefold()),
    "dataset": Column("Dataset", lambda row: row.dataset),
    "who": Column("Who may", lambda row: row.who),
    "state": Column("State", lambda row: row.state.word),
    "purpose": Column("For", lambda row: row.purpose),
}
NFS_COLUMNS: dict[str, Column[Callable[[ShareRow], Any]]] = {
    "name": COLUMNS["name"]._replace(title="Folder"),
    "dataset": COLUMNS["dataset"],
    "who": COLUMNS["who"]._replace(title="Clients"),
    "state": COLUMNS["state"],
}


def smb_rows(inventory: Inventory, text: str = "") -> tuple[ShareRow, ...]:
    """The shares of SMB with `text` in their name or dataset."""
    names = {one.name for one in inventory.datasets}
    found = (one for one in inventory.sharing.smb if _matches(text, one.name, one.dataset))
    return tuple(smb_row(one, inventory, names) for one in found)


def nfs_rows(inventory: Inventory, text: str = "") -> tuple[ShareRow, ...]:
    """The exports of NFS with `text` in their dataset or among their clients."""
    names = {one.name for one in inventory.datasets}
    found = (
        one
        for one in inventory.sharing.nfs
        if _matches(text, one.dataset, *(client.host for client in one.clients))
    )
    return tuple(nfs_row(one, inventory, names) for one in found)


def smb_row(share: SmbShare, inventory: Inventory, names: set[str]) -> ShareRow:
    """One share."""
    answer = smb_answer(share, inventory)
    return ShareRow(
        name=share.name,
        href=share_href(share.name),
        dataset=share.dataset,
        known=share.dataset in names,
        who=who_words(share),
        purpose=_PURPOSES[share.purpose],
        state=share_state(answer),
        why="" if answer.state == "off" else answer.why,
    )


def nfs_row(share: NfsShare, inventory: Inventory, names: set[str]) -> ShareRow:
    """One export."""
    answer = nfs_answer(share, inventory)
    hosts = [f"{one.host} (read-only)" if one.read_only else one.host for one in share.clients]
    return ShareRow(
        name=answer.path or share.dataset,
        href=export_href(share.id),
        dataset=share.dataset,
        known=share.dataset in names,
        who=_listed(hosts),
        purpose="",
        state=share_state(answer),
        why="" if answer.state == "off" else answer.why,
    )


def share_state(answer: SmbShareAnswer | NfsShareAnswer) -> StateView:
    """Where it stands, with icon and word."""
    return tone_view(*_STATES[answer.state])


def rows_of(dataset: str, inventory: Inventory) -> tuple[tuple[str, ShareRow], ...]:
    """The shares and exports of one dataset, each with its protocol."""
    names = {dataset}
    smb = (("SMB", smb_row(one, inventory, names)) for one in inventory.sharing.smb if one.dataset == dataset)
    nfs = (("NFS", nfs_row(one, inventory, names)) for one in inventory.sharing.nfs if one.dataset == dataset)
    return (*smb, *nfs)


def who_words(share: SmbShare) -> str:
    """`anna and family write · everybody reads`: a group counts as one. Guests are told too."""
    if share.guests == "write":
        return "everybody on the network may write, without a name"
    parts = []
    if share.write:
        parts.append(f"{_listed([said(one) for one in share.write])} {_verb('write', share.write)}")
    readers = [said(one) for one in share.read if one not in share.write]
    if share.guests == "read":
        parts.append("everybody on the network may read, without a name")
    elif readers:
        parts.append(f"{_listed(readers)} {_verb('read', readers)}")
    return " · ".join(parts) or "nobody"


def said(name: str) -> str:
    """`@family` → `family`; everybody who has an account is “everybody”."""
    return "everybody" if name == f"@{EVERYBODY}" else name.removeprefix("@")


def notices(inventory: Inventory) -> tuple[Notice, ...]:
    """What was changed by hand, and what should run and does not."""
    found = [_stopped(*one) for one in _SERVICES if _should_run(one[0], inventory)]
    if files := drifted(inventory):
        paths = _listed([PATHS[file] for file in files])
        title = f"{counted(len(files), 'file')} changed by hand"
        words = (
            f"{paths} was changed by hand since it was written here. Until it is written again, the file "
            "applies, not the settings below."
        )
        found.append(Notice(title=title, words=words, tone="warn", mends=True))
    return tuple(found)


def foreign(inventory: Inventory) -> tuple[str, ...]:
    """Shares that somebody defined in smb.conf itself, which are none of ours."""
    return tuple(sorted(foreign_sections(inventory.served.smb_conf) - _NO_SHARES))


def _should_run(service: SharingService, inventory: Inventory) -> bool:
    """Whether it has something to serve, and does not run."""
    shares = inventory.sharing.nfs if service == "nfs-server" else inventory.sharing.smb
    state = inventory.served.services.get(service)
    return any(share.enabled for share in shares) and state not in {"active", "reloading", "activating"}


def _stopped(service: SharingService, title: str, words: str) -> Notice:
    tone: Tone = "warn" if service == "wsdd2" else "bad"
    return Notice(title=title, words=words, tone=tone, mends=True)


def _matches(text: str, *names: str) -> bool:
    joined = "\n".join(names).casefold()
    return all(word in joined for word in text.casefold().split())


def _listed(names: Sequence[str]) -> str:
    if len(names) > _MOST_NAMES:
        return f"{', '.join(names[: _MOST_NAMES - 1])} and {len(names) - _MOST_NAMES + 1} more"
    return " and ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))


def _verb(verb: str, names: Sequence[str]) -> str:
    return f"{verb}s" if len(names) == 1 else verb
