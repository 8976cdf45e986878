"""What is done with the boot pair, in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_TITLES = {
    "boot.add": "Make the boot pair whole",
    "boot.replace": "Exchange a half of the boot pair",
    "boot.remove": "Take a half out of the boot pair",
    "boot.copies": "Write the boot loader to both halves",
    "boot.swap": "Choose the swap",
    "boot.move-state": "Move /var and /home to a pool",
    "boot.return-state": "Bring /var and /home back",
    "boot.discard-state": "Destroy what an earlier move of /var and /home left",
    "boot.adopt": "Adopt the boot pair",
    "boot.convert": "Copy the system to a second disk",
    "boot.convert-restart": "Restart into the copy of the system",
    "boot.convert-leave": "Give up the copy of the system",
}


def title(operation: str, data: Mapping[str, Any]) -> str:
    """Empty for what is not done with the boot pair."""
    return _TITLES.get(operation, "")


def origin(operation: str, data: Mapping[str, Any]) -> tuple[str, str]:
    """The page that it is asked for on, and that shows what came of it."""
    if operation == "boot.swap":
        return "Swap", "/boot/swap/"
    if operation.endswith("-state"):
        return "State of the system", "/boot/state/"
    return "Boot pair", "/boot/"


outcome = origin
