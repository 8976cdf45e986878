"""Typed values, and that two threads may ask for a new type at once."""

from __future__ import annotations

import threading
from typing import Any

import msgspec
import pytest

from host import typed


class Point(msgspec.Struct):
    x: int
    name: str = ""


class Amid(msgspec.Struct):
    number: let_another_ask()  # type: ignore[valid-type]


class Whole(msgspec.Struct):
    first: Amid
    last: str


VALUE = {"first": {"number": 1}, "last": "x"}
ANSWERS: list[Any] = []
OTHERS = [threading.Thread(target=lambda: ANSWERS.append(typed.convert(VALUE, Whole)), daemon=True)]


def let_another_ask() -> type[int]:
    """An annotation that, while it is read, has another thread ask for the type it belongs to."""
    if OTHERS[0].ident is None:
        OTHERS[0].start()
        OTHERS[0].join(timeout=0.2)  # ends at once where nothing makes it wait, and then often for good
    return int


def test_values_and_texts_become_what_is_asked_for() -> None:
    assert typed.convert({"x": 1}, Point) == typed.decode(b'{"x":1}', Point) == Point(1)
    assert typed.decode("[1]") == [1]
    assert typed.convert(["a"], tuple[str, ...]) == ("a",)


def test_what_does_not_fit_is_refused_by_name() -> None:
    with pytest.raises(msgspec.ValidationError, match=r"\$\.name"):
        typed.convert({"x": 1, "name": 2}, Point)
    with pytest.raises(msgspec.DecodeError):
        typed.decode(b"{", Point)


def test_a_type_that_one_thread_reads_is_whole_for_the_next() -> None:
    first = typed.convert(VALUE, Whole)
    OTHERS[0].join()
    assert [first, *ANSWERS] == [Whole(Amid(1), "x")] * 2
