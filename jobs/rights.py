"""Who asks, and that they may not."""

from __future__ import annotations

from typing import Protocol

ADMIN = "users:write"  # no other role has this scope, and a token only where it was given to it


class User(Protocol):
    """Who asks: a Django user, whose permissions are the scopes of its role."""

    def has_perm(self, perm: str) -> bool: ...

    def get_username(self) -> str: ...


class Forbidden(Exception):
    """The user's role does not allow it."""
