"""What a search finds."""

from __future__ import annotations

import msgspec


class Hit(msgspec.Struct, frozen=True, kw_only=True):
    """Something that was found."""

    icon: str
    title: str
    detail: str
    href: str
