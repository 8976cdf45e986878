"""Who asks, and that they may not."""

from __future__ import annotations

from typing import Protocol

ADMIN = "users:write"  # no other role has this scope, and a token only where it was given to it


class User(Protocol):
    """Who asks: a Django user, whose permissions are the scopes of its role."""

    def has_perm(self, perm: str) -> bool: ...

    def get_username(self) -> str: ...


class Clockwork:
    """Who asks where no person does, as when the clock strikes: may do what is in `scopes` and no more."""

    def __init__(self, name: str, *scopes: str) -> None:
        self._name, self._scopes = name, frozenset(scopes)

    def has_perm(self, perm: str) -> bool:
        """Only what it was made with."""
        return perm in self._scopes

    def get_username(self) -> str:
        """At most 150 characters, as users' names."""
        return self._name[:150]


class Forbidden(Exception):
    """The user's role does not allow it, or the token that came instead does not."""


def need(user: User, *scopes: str) -> None:
    """Raises `Forbidden`, which names the first of `scopes` that `user` does not have."""
    for scope in scopes:
        if not user.has_perm(scope):
            raise Forbidden(f"This needs the scope {scope}, which your role or token does not have.")
