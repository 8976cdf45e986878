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
    return decode_by(msgspec.json.Decoder(kind), text)


def decode_by[T](decoder: msgspec.json.Decoder[T], text: bytes | str) -> T:
    """What a `Decoder` made at import makes of JSON. Raises msgspec.DecodeError whatever is wrong with it."""
    try:
        return decoder.decode(text)
    except UnicodeError as error:  # it has no error of its own for bytes that are no UTF-8
        raise msgspec.DecodeError(f"JSON is written in UTF-8: {error}") from None
    except RecursionError:
        raise msgspec.DecodeError("JSON is nested too deeply") from None


def decode_storable(text: bytes | str) -> Any:
    """JSON from outside that can be written again, and so be stored and shown. Raises msgspec.DecodeError."""
    value = decode(text)
    try:
        msgspec.json.encode(value)
    except OverflowError:
        raise msgspec.DecodeError("a number has more than 64 bits") from None
    except RecursionError:  # what is read level by level may still be too deep to write
        raise msgspec.DecodeError("JSON is nested too deeply") from None
    return value


def _know(kind: Any) -> None:
    if kind not in _read:
        with _reading:
            msgspec.json.Decoder(kind)
        _read.add(kind)
