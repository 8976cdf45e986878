"""The tree of datasets as rows for the eye. Only what is open is drawn, a level a page at a time."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Literal
from urllib.parse import urlencode

import msgspec

from frontend.datasets.view import readable
from frontend.states import StateView
from host.inventory import Dataset, Inventory
from jobs.wording import counted
from pools.links import dataset_href, snapshots_href

LEVEL = 100  # rows of one level before the rest is offered as a page of its own
MOST_ROWS = 150  # of a page, whatever is open: what is left leads to a page of its own
MOST_OPEN = 60  # branches that an address carries
_DEEPEST = 8  # steps to the right
_TIGHT, _FULL = 80, 95  # percent of a quota


class Quota(msgspec.Struct, frozen=True, kw_only=True):
    """How far a quota is used up, in bytes."""

    used: int
    limit: int
    tone: Literal["", "warn", "bad"]
    words: str


class TreeRow(msgspec.Struct, frozen=True, kw_only=True):
    """A dataset in one line, or with `name` empty the way to more of its level."""

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
    ratio: str = "–"
    quota: Quota | None = None
    lock: Literal["", "lock", "lock-open"] = ""
    place: str = ""
    state: StateView | None = None


class Tree(msgspec.Struct, frozen=True, kw_only=True):
    """What is asked for: `top` the dataset whose children are shown, `opened` the branches (None: the roots),
    `text` what names must have in them, `after` the name that the page begins behind."""

    top: str = ""
    opened: tuple[str, ...] | None = None
    text: str = ""
    after: str = ""

    def address(self, **changes: object) -> str:
        """The query of the page with these changes."""
        shown = msgspec.structs.replace(self, **changes)
        pairs = [("in", shown.top), ("q", shown.text), ("after", shown.after)]
        opened = [("open", name) for name in shown.opened or ()] or [("open", "")] * (
            shown.opened is not None
        )
        return "?" + urlencode([pair for pair in pairs if pair[1]] + opened)


def tree_rows(inventory: Inventory, tree: Tree) -> tuple[TreeRow, ...]:
    """The rows of the page, parents before children; of a filter all that match, with their whole names."""
    if tree.text:
        return _found(inventory.datasets, tree)
    children: dict[str, list[Dataset]] = defaultdict(list)
    for dataset in inventory.datasets:
        children[dataset.parent or ""].append(dataset)
    opened = tuple(d.name for d in children[""]) if tree.opened is None else tree.opened
    shown = msgspec.structs.replace(tree, opened=opened[:MOST_OPEN])
    rows: list[TreeRow] = []
    _level(children, shown, tree.top, 0, rows)
    return tuple(rows)


def _level(
    children: dict[str, list[Dataset]], tree: Tree, parent: str, depth: int, rows: list[TreeRow]
) -> None:
    level = sorted(children[parent], key=lambda dataset: dataset.name)
    if depth == 0 and tree.after:
        level = [dataset for dataset in level if dataset.name > tree.after]
    opened = tree.opened or ()
    drawn = 0
    for dataset in level[:LEVEL]:
        if len(rows) >= MOST_ROWS:
            break
        drawn += 1
        is_open = dataset.name in opened
        others = tuple(name for name in opened if name != dataset.name)
        toggled = others if is_open else (*others, dataset.name)
        href = tree.address(opened=toggled) if children.get(dataset.name) else ""
        rows.append(_row(dataset, depth=depth, href=href, is_open=is_open and bool(href)))
        if is_open:
            _level(children, tree, dataset.name, depth + 1, rows)
    if len(level) > drawn:
        rest = tree.address(top=parent, after=level[drawn - 1].name if drawn else "", opened=())
        words = f"{counted(len(level) - drawn, 'more dataset')} in {parent}" if parent else "more pools"
        rows.append(TreeRow(name="", leaf=words, depth=min(depth, _DEEPEST), href=rest))


def _found(datasets: Sequence[Dataset], tree: Tree) -> tuple[TreeRow, ...]:
    words = tree.text.lower().split()
    found = [one for one in datasets if one.name > tree.after and all(w in one.name.lower() for w in words)]
    found.sort(key=lambda dataset: dataset.name)
    rows = [_row(dataset, depth=0, whole=True) for dataset in found[:LEVEL]]
    if len(found) > LEVEL:
        rest = tree.address(after=found[LEVEL - 1].name)
        rows.append(TreeRow(name="", leaf=f"{len(found) - LEVEL} more matches", depth=0, href=rest))
    return tuple(rows)


def _row(
    dataset: Dataset, *, depth: int, href: str = "", is_open: bool = False, whole: bool = False
) -> TreeRow:
    return TreeRow(
        name=dataset.name,
        leaf=dataset.name if whole or depth == 0 else dataset.name.rpartition("/")[2],
        depth=min(depth, _DEEPEST),
        href=href,
        open=is_open,
        page=dataset_href(dataset.name),
        snapshots=snapshots_href(dataset.name),
        kind=dataset.kind,
        used=dataset.number("used"),
        available=dataset.number("available"),
        referenced=dataset.number("referenced"),
        ratio=dataset.value("compressratio") or "–",
        quota=quota_of(dataset),
        lock=lock_of(dataset),
        place=_place(dataset),
        state=mount_state(dataset),
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
    return Quota(used=min(used, limit), limit=limit, tone=tone, words=words)


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
