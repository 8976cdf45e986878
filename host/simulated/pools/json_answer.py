"""The frame around the JSON answers of zpool."""

from __future__ import annotations

from typing import Any

import msgspec

CONFIG_TXG = 4  # when the configuration was last written; not the pool's current transaction


def answer(command: str, pools: dict[str, Any]) -> str:
    """What zpool prints with -j for `pools`, in the format of OpenZFS 2.3."""
    version = {"command": command, "vers_major": 0, "vers_minor": 1}
    return msgspec.json.encode({"output_version": version, "pools": pools}).decode() + "\n"
