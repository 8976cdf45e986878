"""JSON from outside: whatever is wrong with it is one kind of error."""

from __future__ import annotations

import msgspec
import pytest

from host import frames, typed
from host.commands.closed import decode


@pytest.mark.parametrize(
    "text",
    [b'"\xff"', b'{"\xed\xa0\x80": 1}', '"\ud800"', b'"\\ud800"', b"[" * 100_000, b"", b"\0"],
)
def test_what_is_no_json_is_one_error(text: bytes | str) -> None:
    with pytest.raises(msgspec.DecodeError):
        typed.decode(text)


@pytest.mark.parametrize(
    "payload", [b'{"type":"\xff"}', b"[" * 100_000, b'{"type":"refused","reason":"\xff"}']
)
def test_what_came_through_the_socket_is_one_error_too(payload: bytes) -> None:
    with pytest.raises(msgspec.DecodeError):
        frames.decode_answer(payload)
    with pytest.raises(msgspec.DecodeError):
        decode(payload)


@pytest.mark.parametrize("text", [b"[" * 900 + b"]" * 900 + b" x", b"{}{}", b"\xff"])
def test_what_cannot_be_stored_is_not_taken(text: bytes) -> None:
    with pytest.raises(msgspec.DecodeError):
        typed.decode_storable(text)


def test_what_can_be_stored_is_taken() -> None:
    assert typed.decode_storable(b'{"size": 9000000000000000000}') == {"size": 9 * 10**18}
