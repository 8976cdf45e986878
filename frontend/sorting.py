"""Tables that are sorted by a click on the head of a column. `-used` is `used` the other way round."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal, NamedTuple

Direction = Literal["", "ascending", "descending"]


class Column[By](NamedTuple):
    """A column to sort by: `by` a value of a row, which is None where it has none, or a field's name."""

    title: str
    by: By
    number: bool = False
    down: bool = False  # whether the first click shows the largest first
    priority: int = 1  # 2 and 3 are left out where the page is narrow


class Head(NamedTuple):
    """The head of a column, with the address that sorts by it; empty where it cannot be sorted."""

    title: str
    href: str
    direction: Direction
    number: bool
    priority: int


def chosen(text: str, columns: Mapping[str, Column[Any]], *, otherwise: str) -> str:
    """What an address asks for, where it is a column; else `otherwise`."""
    return text if text.removeprefix("-") in columns else otherwise


def in_order[T](rows: Iterable[T], sort: str, columns: Mapping[str, Column[Callable[[T], Any]]]) -> list[T]:
    """Sorted; rows that have no value come last, whichever way. What is equal keeps its order."""
    value = columns[sort.removeprefix("-")].by
    known: list[T] = []
    missing: list[T] = []
    for row in rows:
        (missing if value(row) is None else known).append(row)
    known.sort(key=value, reverse=sort.startswith("-"))
    return known + missing


def heads(columns: Mapping[str, Column[Any]], sort: str, address: Callable[[str], str]) -> dict[str, Head]:
    """The head of each column by its name. `address` is the page sorted by what it is given."""
    return {name: _head(name, column, sort, address) for name, column in columns.items()}


def _head(name: str, column: Column[Any], sort: str, address: Callable[[str], str]) -> Head:
    direction: Direction = ""
    following = f"-{name}" if column.down else name
    if sort.removeprefix("-") == name:
        direction = "descending" if sort.startswith("-") else "ascending"
        following = name if sort.startswith("-") else f"-{name}"
    return Head(
        title=column.title, href=address(following), direction=direction, number=column.number,
        priority=column.priority,
    )  # fmt: skip
