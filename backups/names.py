"""What repositories and backups are called, and the keys by which the machine knows them."""

from __future__ import annotations

import hashlib
from typing import Annotated

from msgspec import Meta

Name = Annotated[
    str,
    Meta(
        pattern=r"\A[A-Za-z0-9](?:[A-Za-z0-9 _.\-]{0,62}[A-Za-z0-9_.\-])?\Z",
        description="a name of letters, digits, spaces and . _ -",
    ),
]
NameText = Annotated[str, Meta(max_length=64)]  # of one that is there, or not


def key_of(*parts: str) -> str:
    """The same parts have the same key: so a plan that is made again names the same thing."""
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]
