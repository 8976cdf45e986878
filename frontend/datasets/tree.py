"""The tree of datasets as rows for the eye. Only what is open is drawn, a level a page at a time."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from urllib.parse import urlencode

import msgspec

from frontend.datasets.narrowing import ONLY, columns
from frontend.datasets.row import DEEPEST, Around, TreeRow, row_of
from frontend.sorting import in_order
from host.inventory import Dataset, Inventory
from jobs.wording import counted

LEVEL = 100  # rows of one level before the rest is offered as a page of its own
MOST_ROWS = 150  # of a page, whatever is open: what is left leads to a page of its own
MOST_OPEN = 60  # branches that an address carries


class Tree(msgspec.Struct, frozen=True, kw_only=True):
    """What is asked for: `top` the dataset whose children are shown, `opened` the branches (None: the roots),
    `text` what names must have in them, `kind` and `only` what they must be, `after` the name that the page
    begins behind."""

    top: str = ""
    opened: tuple[str, ...] | None = None
    text: str = ""
    kind: str = ""
    only: str = ""
    sort: str = "name"
    after: str = ""

    @property
    def flat(self) -> bool:
        """Whether it is a list of those that match, and no tree."""
        return bool(self.text or self.kind or self.only)

    def address(self, **changes: object) -> str:
        """The query of the page with these changes."""
        shown = msgspec.structs.replace(self, **changes)
        sort = "" if shown.sort == "name" else shown.sort
        pairs = [
            ("in", shown.top), ("q", shown.text), ("kind", shown.kind), ("only", shown.only), ("sort", sort),
            ("after", shown.after),
        ]  # fmt: skip
        opened = [("open", name) for name in shown.opened or ()] or [("open", "")] * (
            shown.opened is not None
        )
        return "?" + urlencode([pair for pair in pairs if pair[1]] + opened)


class _Drawing(msgspec.Struct):
    """What all levels of one page share; `rows` grow."""

    children: dict[str, list[Dataset]]
    tree: Tree
    around: Around
    rows: list[TreeRow]


def tree_rows(inventory: Inventory, tree: Tree, around: Around | None = None) -> tuple[TreeRow, ...]:
    """The rows of the page, parents before children; of a filter all that match, with their whole names."""
    around = around or Around()
    if tree.flat:
        return _found(inventory.datasets, tree, around)
    children: dict[str, list[Dataset]] = defaultdict(list)
    for dataset in inventory.datasets:
        children[dataset.parent or ""].append(dataset)
    opened = tuple(d.name for d in children[""]) if tree.opened is None else tree.opened
    shown = msgspec.structs.replace(tree, opened=opened[:MOST_OPEN])
    drawing = _Drawing(children=children, tree=shown, around=around, rows=[])
    _level(drawing, tree.top, 0)
    return tuple(drawing.rows)


def _level(drawing: _Drawing, parent: str, depth: int) -> None:
    tree, rows = drawing.tree, drawing.rows
    level = _sorted(drawing.children[parent], tree, drawing.around)
    if depth == 0:
        level = _rest(level, tree)
    opened = tree.opened or ()
    drawn = 0
    for dataset in level[:LEVEL]:
        if len(rows) >= MOST_ROWS:
            break
        drawn += 1
        is_open = dataset.name in opened
        others = tuple(name for name in opened if name != dataset.name)
        toggled = others if is_open else (*others, dataset.name)
        href = tree.address(opened=toggled) if drawing.children.get(dataset.name) else ""
        rows.append(row_of(dataset, drawing.around, depth=depth, href=href, is_open=is_open and bool(href)))
        if is_open:
            _level(drawing, dataset.name, depth + 1)
    if len(level) > drawn:
        rest = tree.address(top=parent, after=level[drawn - 1].name if drawn else "", opened=())
        words = f"{counted(len(level) - drawn, 'more dataset')} in {parent}" if parent else "more pools"
        rows.append(TreeRow(name="", leaf=words, depth=min(depth, DEEPEST), href=rest))


def _found(datasets: Sequence[Dataset], tree: Tree, around: Around) -> tuple[TreeRow, ...]:
    words = tree.text.lower().split()
    holds = ONLY[tree.only].holds if tree.only else None
    matching = [
        one
        for one in datasets
        if all(word in one.name.lower() for word in words)
        and (not tree.kind or one.kind == tree.kind)
        and (holds is None or holds(one, around))
    ]
    found = _rest(_sorted(matching, tree, around), tree)
    rows = [row_of(dataset, around, depth=0, whole=True) for dataset in found[:LEVEL]]
    if len(found) > LEVEL:
        rest = tree.address(after=found[LEVEL - 1].name)
        rows.append(TreeRow(name="", leaf=f"{len(found) - LEVEL} more matches", depth=0, href=rest))
    return tuple(rows)


def _sorted(datasets: Sequence[Dataset], tree: Tree, around: Around) -> list[Dataset]:
    by_name = sorted(datasets, key=lambda dataset: dataset.name)
    return by_name if tree.sort == "name" else in_order(by_name, tree.sort, columns(around))


def _rest(level: list[Dataset], tree: Tree) -> list[Dataset]:
    """What comes behind `after`. Where that is gone: by its name, in another order from the start."""
    if not tree.after:
        return level
    place = next((at for at, dataset in enumerate(level) if dataset.name == tree.after), None)
    if place is not None:
        return level[place + 1 :]
    return [dataset for dataset in level if dataset.name > tree.after] if tree.sort == "name" else level
