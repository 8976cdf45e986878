"""msgspec's `convert` and `decode` for programs with threads.

msgspec reads the annotations of a Struct when that type is first asked for, and publishes what it knows of it
before it knows all: a second thread that asks meanwhile takes the half, and the process dies of it (msgspec
0.22.0). So types are read here by one thread at a time. A `Decoder` made while a module is imported is safe.
"""

from __future__ import annotations

import threading
from typing import Any, overload

import msgspec

_read: set[Any] = set()
_reading = threading.Lock()


@overload
def convert[T](value: Any, kind: type[T]) -> T: ...
@overload
def convert(value: Any, kind: Any) -> Any: ...
def convert(value: Any, kind: Any) -> Any:
    """`value`, of JSON's types, as a `kind`. Raises msgspec.ValidationError where it is none."""
    _know(kind)
    return msgspec.convert(value, kind)


@overload
def decode[T](text: bytes | str, kind: type[T]) -> T: ...
@overload
def decode(text: bytes | str, kind: Any = ...) -> Any: ...
def decode(text: bytes | str, kind: Any = Any) -> Any:
    """JSON as a `kind`. Raises msgspec.DecodeError for what is no JSON, ValidationError for another kind."""
    _know(kind)
    return msgspec.json.decode(text, type=kind)


def _know(kind: Any) -> None:
    if kind not in _read:
        with _reading:
            msgspec.json.Decoder(kind)
        _read.add(kind)
