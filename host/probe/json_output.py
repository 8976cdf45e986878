"""What the JSON answers of zpool and zfs have in common."""

from __future__ import annotations

from typing import Any

import msgspec

from host import typed
from host.base import UnknownFormat


def decode(text: str, *, command: str) -> dict[str, Any]:
    """The answer as plain values. Raises `UnknownFormat` for another major version of the format."""
    try:
        answer: dict[str, Any] = typed.decode(text)
    except msgspec.DecodeError as error:
        raise UnknownFormat(f"{command} did not answer in JSON: {error}") from None
    version = answer["output_version"]
    if version["vers_major"] != 0:
        raise UnknownFormat(f"{command} answers in format {version['vers_major']}; known is 0.")
    return answer
