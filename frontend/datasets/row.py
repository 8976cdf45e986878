"""One dataset in a line of a list."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Literal

import msgspec

from frontend.datasets.view import readable
from frontend.states import StateView
from host.inventory import Dataset, Inventory
from jobs.index.reading import Tally
from pools.links import dataset_href, snapshots_href
from replication.replications.copies import Copies, Copy
from shares.links import export_href, share_href

DEEPEST = 8  # steps to the right
_TIGHT, _FULL = 80, 95  # percent of a quota


class Quota(msgspec.Struct, frozen=True, kw_only=True):
    """How far a quota is used up, in bytes."""

    used: int
    limit: int
    percent: float
    tone: Literal["", "warn", "bad"]
    words: str


class ShareMark(msgspec.Struct, frozen=True, kw_only=True):
    """A share or an export of a dataset."""

    protocol: Literal["SMB", "NFS"]
    name: str
    href: str


class Around(msgspec.Struct, frozen=True, kw_only=True):
    """What lists show of datasets beyond their properties: snapshots by guid, shares by name, copies."""

    tallies: Mapping[str, Tally] = {}
    shares: Mapping[str, tuple[ShareMark, ...]] = {}
    copies: Copies = Copies()


class TreeRow(msgspec.Struct, frozen=True, kw_only=True):
    """A dataset in one line, or with `name` empty the way to more of its level.

    `count` is None while its snapshots are being listed for the first time.
    """

    name: str
    leaf: str
    depth: int
    href: str = ""  # opens or closes it; of a last row leads to the rest; empty without children
    page: str = ""
    snapshots: str = ""
    open: bool = False
    kind: str = "filesystem"
    used: int = 0
    available: int = 0
    referenced: int = 0
    compression: str = ""
    ratio: str = "–"
    quota: Quota | None = None
    lock: Literal["", "lock", "lock-open"] = ""
    place: str = ""
    state: StateView | None = None
    count: int | None = None
    newest: datetime | None = None
    shares: tuple[ShareMark, ...] = ()
    copies: tuple[Copy, ...] = ()


def shares_by_dataset(inventory: Inventory) -> dict[str, tuple[ShareMark, ...]]:
    """What is shared, by the name of the dataset."""
    found: dict[str, list[ShareMark]] = defaultdict(list)
    for share in inventory.sharing.smb:
        mark = ShareMark(protocol="SMB", name=share.name, href=share_href(share.name))
        found[share.dataset].append(mark)
    for export in inventory.sharing.nfs:
        found[export.dataset].append(ShareMark(protocol="NFS", name="", href=export_href(export.id)))
    return {name: tuple(marks) for name, marks in found.items()}


def row_of(
    dataset: Dataset,
    around: Around,
    *,
    depth: int,
    href: str = "",
    is_open: bool = False,
    whole: bool = False,
) -> TreeRow:
    """A dataset at that depth of the tree; with `whole` by its whole name."""
    tally = around.tallies.get(dataset.guid)
    newest = tally.newest if tally else None
    return TreeRow(
        name=dataset.name,
        leaf=dataset.name if whole or depth == 0 else dataset.name.rpartition("/")[2],
        depth=min(depth, DEEPEST),
        href=href,
        open=is_open,
        page=dataset_href(dataset.name),
        snapshots=snapshots_href(dataset.name),
        kind=dataset.kind,
        used=dataset.number("used"),
        available=dataset.number("available"),
        referenced=dataset.number("referenced"),
        compression=dataset.value("compression") or "",
        ratio=dataset.value("compressratio") or "–",
        quota=quota_of(dataset),
        lock=lock_of(dataset),
        place=_place(dataset),
        state=mount_state(dataset),
        count=tally.count if tally else None,
        newest=datetime.fromtimestamp(newest, UTC) if newest else None,
        shares=around.shares.get(dataset.name, ()),
        copies=around.copies.of(dataset.name),
    )


def quota_of(dataset: Dataset) -> Quota | None:
    """The tighter of its two quotas; None without any."""
    kinds = (("quota", "used"), ("refquota", "referenced"))
    found = [(dataset.number(used), limit) for name, used in kinds if (limit := dataset.number(name))]
    if not found:
        return None
    used, limit = max(found, key=lambda pair: pair[0] / pair[1])
    percent = 100 * used / limit
    tone: Literal["", "warn", "bad"] = "bad" if percent >= _FULL else "warn" if percent >= _TIGHT else ""
    words = f"{percent:.0f} % of {readable('quota', str(limit))}"
    return Quota(used=min(used, limit), limit=limit, percent=percent, tone=tone, words=words)


def lock_of(dataset: Dataset) -> Literal["", "lock", "lock-open"]:
    """The icon of an encrypted dataset: closed while its key is not loaded."""
    if dataset.value("encryption") in {None, "off", "-"}:
        return ""
    return "lock" if dataset.value("keystatus") == "unavailable" else "lock-open"


def mount_state(dataset: Dataset) -> StateView | None:
    """What is out of the ordinary with its mount; None where it is as it should be."""
    if lock_of(dataset) == "lock":
        return StateView(tone="idle", icon="lock", word="locked")
    if dataset.kind == "volume" or dataset.mounted:
        return None
    waits = dataset.value("canmount") == "on" and _place(dataset).startswith("/")
    if waits:
        return StateView(tone="warn", icon="triangle-alert", word="not mounted")
    return StateView(tone="idle", icon="circle-dashed", word="not mounted")


def _place(dataset: Dataset) -> str:
    if dataset.kind == "volume":
        return f"/dev/zvol/{dataset.name}"
    return dataset.value("mountpoint") or ""
