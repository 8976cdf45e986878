"""Heads of columns that sort."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from frontend.sorting import Column, chosen, heads, in_order

COLUMNS: dict[str, Column[Callable[[str], Any]]] = {
    "name": Column("Name", lambda row: row),
    "length": Column("Length", lambda row: len(row) or None, number=True, down=True),
}


def test_a_head_leads_to_its_column_and_once_more_the_other_way_round() -> None:
    shown = heads(COLUMNS, "name", lambda sort: f"?sort={sort}")
    assert (shown["name"].direction, shown["name"].href) == ("ascending", "?sort=-name")
    assert (shown["length"].direction, shown["length"].href) == ("", "?sort=-length")
    shown = heads(COLUMNS, "-length", lambda sort: f"?sort={sort}")
    assert (shown["length"].direction, shown["length"].href) == ("descending", "?sort=length")


def test_rows_without_a_value_come_last_either_way() -> None:
    assert in_order(["bb", "", "a", "cc"], "length", COLUMNS) == ["a", "bb", "cc", ""]
    assert in_order(["bb", "", "a", "cc"], "-length", COLUMNS) == ["bb", "cc", "a", ""]


def test_what_is_no_column_is_left_out() -> None:
    assert chosen("-length", COLUMNS, otherwise="name") == "-length"
    assert chosen("nonsense", COLUMNS, otherwise="name") == "name"
    assert chosen("--length", COLUMNS, otherwise="name") == "name"
