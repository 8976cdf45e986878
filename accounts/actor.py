"""Who acts when a script sends a token: its owner, limited to the token's scopes."""

from __future__ import annotations

from typing import Any

from accounts.models import Token, User
from accounts.roles import DESTROY


class TokenActor:
    """Takes the place of a signed-in user; may do what both its owner's role and the token allow."""

    is_authenticated = True
    is_anonymous = False

    def __init__(self, token: Token) -> None:
        self.token = token
        self.user: User = token.owner
        self.pk = token.owner.pk
        self._scopes = frozenset(token.scopes)

    @property
    def is_active(self) -> bool:
        """Whether the owner may sign in."""
        return self.user.is_active

    def get_username(self) -> str:
        """The owner's name."""
        return self.user.get_username()

    def has_perm(self, perm: str, obj: Any = None) -> bool:
        """A scope must be the token's too; destroying is the role's right within the scopes."""
        return (perm == DESTROY or perm in self._scopes) and self.user.has_perm(perm, obj)


def acting(account: int, token: int | None) -> User | TokenActor | None:
    """The account, or its token if one was sent; None where it is gone, switched off, revoked or expired."""
    if token is None:
        return User.objects.filter(pk=account, is_active=True).first()
    found = Token.objects.select_related("owner").filter(pk=token, owner=account).first()
    return TokenActor(found) if found is not None and found.usable else None
