"""Phrases of summaries: who may do what in a share or folder, and what connected clients notice."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from host.commands.shares.sharing import CloseShare, ReloadService, ShareAnswers, SwitchService
from host.inventory import Inventory, NfsClient, NfsShare, SmbShare
from host.inventory.people import EVERYBODY
from jobs.plan import Step
from jobs.wording import capital, listed
from shares.serving import standing

_EVERYBODY = f"@{EVERYBODY}"
_GIB = 1 << 30
UNDISTURBED = "Nobody is disconnected."
CUT_OFF = "Clients connected to it are cut off, and what they have not saved may be lost."
OPEN_CONNECTIONS = "Connections that are open now stay as they are until they end."
NFS_PAUSE = "up to 90 seconds until NFS clients continue"


def named(noun: str, names: Sequence[str]) -> str:
    """`the share Files`, `the groups crew and family`."""
    return f"the {noun}{'' if len(names) == 1 else 's'} {listed(names)}"


def people(names: Iterable[str]) -> str:
    """`anna, bert and the group crew`, of names as shares have them."""
    return listed([called(name) for name in names])


def granted(read: Sequence[str], write: Sequence[str]) -> str:
    """`anna may read and write, and the group crew may only read`."""
    if _EVERYBODY in write:
        return "everybody with an account may read and write"
    writers, readers = people(write), people(one for one in read if one not in write)
    if _EVERYBODY in read:
        readers = "everybody else with an account" if write else "everybody with an account"
    if not writers:
        return f"{readers} may read, and nobody may write" if readers else "nobody may read or write"
    return f"{writers} may read and write" + (f", and {readers} may only read" if readers else "")


def access(share: SmbShare) -> str:
    """Who may do what in a share of SMB, by what it is for."""
    if share.guests != "no":
        return _of_guests(share)
    whom = people(share.write)
    words = granted(share.read, share.write)
    if share.purpose == "homes":
        whom = people(dict.fromkeys((*share.write, *share.read)))
        words = f"{whom} may use it, each in a private folder of their own"
    elif share.purpose == "time-machine" and whom:
        size = f", up to {max(1, share.most_bytes // _GIB)} GiB in all" if share.most_bytes else ""
        words = f"{whom} may back up Macs to it{size}"
    elif share.purpose == "drop-box" and whom:
        words = f"{whom} may put files in it, and each sees only their own"
    return words + ("; connections must be encrypted" if share.encryption == "required" else "")


def mounting(clients: Sequence[NfsClient]) -> str:
    """`machines in 192.168.1.0/24 may read and write, and 10.0.0.7 may only read`."""
    writers = machines(one for one in clients if not one.read_only)
    readers = machines(one for one in clients if one.read_only)
    if not writers:
        return f"{readers} may read, and nobody may write"
    return f"{writers} may read and write" + (f", and {readers} may only read" if readers else "")


def machines(clients: Iterable[NfsClient]) -> str:
    """`10.0.0.7 and machines in 192.168.1.0/24`."""
    return listed([_machine(one.host) for one in clients])


def waits(share: SmbShare | NfsShare, inventory: Inventory) -> str:
    """A clause where its dataset has to come first; empty where it does not."""
    then = {"locked": "unlocked", "not-mounted": "mounted"}.get(standing(share, inventory).why or "")
    return f"; it waits until {share.dataset} is {then}" if then else ""


def open_to(names: Collection[str], inventory: Inventory) -> list[str]:
    """The shares of SMB that let one of these in: a person with their groups."""
    return [
        one.name
        for one in inventory.sharing.smb
        if one.enabled and (one.guests != "no" or not {*one.read, *one.write}.isdisjoint(names))
    ]


def everyone_like(name: str, groups: Iterable[str]) -> frozenset[str]:
    """All names by which shares may let somebody in."""
    return frozenset({name, _EVERYBODY, *(f"@{group}" for group in groups)})


def noticed(steps: Iterable[Step]) -> str:
    """What connected clients notice of these steps, as one sentence."""
    found: list[str] = []
    closed: list[str] = []
    back: set[str] = set()  # which are asked for again afterwards: the others are gone
    for command in (command for step in steps for command in step.commands):
        match command:
            case CloseShare(name=name):
                closed.append(name)
            case ShareAnswers(name=name):
                back.add(name)
            case SwitchService(service="smbd", on=False):
                found.append("Samba stops, because no SMB share is turned on")
            case SwitchService(service="nfs-server", on=False):
                found.append("the NFS server stops, because no export is turned on")
            case ReloadService(service="smbd", how="restart"):
                found.append(
                    "Samba restarts, and everybody connected by SMB is cut off for a moment and reconnects"
                )
            case ReloadService(service="nfs-server", how="restart"):
                found.append("the NFS server restarts, and NFS clients wait for it and then continue")
    for names, how in (
        ([name for name in closed if name not in back], "cut off"),
        ([name for name in closed if name in back], "cut off for a moment"),
    ):
        if names:
            unsaved = "what they have not saved may be lost"
            found.append(f"clients connected to {listed(names)} are {how}, and {unsaved}")
    return f"{capital('; '.join(found))}." if found else UNDISTURBED


def pause(steps: Iterable[Step]) -> str:
    """How long NFS clients wait, where the server restarts: it lets them claim their locks again first."""
    commands = (command for step in steps for command in step.commands)
    return NFS_PAUSE if ReloadService(service="nfs-server", how="restart") in commands else ""


def called(name: str) -> str:
    """`anna`, `the group crew`, `everybody with an account`."""
    if name == _EVERYBODY:
        return "everybody with an account"
    return f"the group {name[1:]}" if name.startswith("@") else name


def _of_guests(share: SmbShare) -> str:
    if share.guests == "write":
        return "anybody on the network may read and write without a password"
    writers = f"{people(share.write)} may also write" if share.write else "nobody may write"
    return f"anybody on the network may read without a password, and {writers}"


def _machine(host: str) -> str:
    if host == "*":
        return "every machine that reaches this one"
    return f"machines in {host}" if "/" in host else host
