"""Phrases that several summaries of plans have in common."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime

from host.inventory import Dataset, Inventory, Snapshot
from jobs.wording import counted, listed


def called(noun: str, names: Sequence[str]) -> str:
    """`the volume tank/a`, `the volumes tank/a and tank/b`."""
    return f"the {noun}{'' if len(names) == 1 else 's'} {listed(names)}"


def are(count: int) -> str:
    """The verb behind so many."""
    return "is" if count == 1 else "are"


def tree(name: str, below: int, noun: str = "dataset") -> str:
    """`tank/a and 3 datasets below it`."""
    return f"{name} and {counted(below, noun)} below it" if below else name


def taken_at(snapshot: Snapshot) -> str:
    """`2026-09-21 14:13 UTC`."""
    return f"{datetime.fromtimestamp(snapshot.created, UTC):%Y-%m-%d %H:%M} UTC"


def shares_of(datasets: Iterable[Dataset], inventory: Inventory) -> str:
    """`the shares Films and Music and the NFS export of tank/films`; empty where none is enabled."""
    guids = {one.guid for one in datasets}
    smb = [one.name for one in inventory.sharing.smb if one.enabled and one.guid in guids]
    nfs = [one.dataset for one in inventory.sharing.nfs if one.enabled and one.guid in guids]
    return _called(smb, nfs)


def shares_around(place: str, inventory: Inventory) -> str:
    """The shares in which the folder `place` lies: what is mounted there is a folder of theirs."""
    roots = {
        one.guid: f"{root.rstrip('/')}/"
        for one in inventory.datasets
        if one.mounted and (root := one.value("mountpoint") or "").startswith("/")
    }
    around = {guid for guid, root in roots.items() if place.startswith(root)}
    smb = [one.name for one in inventory.sharing.smb if one.enabled and one.guid in around]
    nfs = [one.dataset for one in inventory.sharing.nfs if one.enabled and one.below and one.guid in around]
    return _called(smb, nfs)


def clients_lose(datasets: Sequence[Dataset], inventory: Inventory, until: str = "") -> str:
    """What clients feel when these are unmounted: a sentence, or none where nothing of them is shared."""
    mounted = [one for one in datasets if one.mounted]
    if own := shares_of(mounted, inventory):
        return f"Connected clients lose {own}{until}."
    if mounted and (around := shares_around(mounted[0].value("mountpoint") or "", inventory)):
        return f"Its folder disappears from {around}, whose clients are disconnected for a moment."
    return ""


def _called(smb: Sequence[str], nfs: Sequence[str]) -> str:
    parts = []
    if smb:
        parts.append(called("share", smb))
    if nfs:
        parts.append(f"the NFS export{'' if len(nfs) == 1 else 's'} of {listed(nfs)}")
    return " and ".join(parts)
