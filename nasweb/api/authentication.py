"""Who calls: a script with a token, or a person with a session. Imports no views: they import this."""

from __future__ import annotations

from typing import Any

from rest_framework.authentication import BaseAuthentication, SessionAuthentication
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from accounts import tokens
from accounts.actor import TokenActor
from accounts.models import Token


class BearerToken(BaseAuthentication):
    """`Authorization: Bearer nas_…`. It comes first, so that whoever sends nothing gets 401 and not 403."""

    def authenticate(self, request: Request) -> tuple[Any, Token] | None:
        """The actor and the token; None when another scheme or none is used. Raises for a bad token."""
        scheme, _, plaintext = request.headers.get("Authorization", "").partition(" ")
        if not scheme:
            return None
        if scheme.lower() != "bearer":
            raise AuthenticationFailed("Send “Authorization: Bearer <token>”.")
        token = tokens.recognise(plaintext.strip())
        if token is None:
            raise AuthenticationFailed("This token is not valid: unknown, expired or revoked.")
        return TokenActor(token), token

    def authenticate_header(self, request: Request) -> str:
        """What 401 asks for."""
        return 'Bearer realm="nasweb"'


class BrowserSession(SessionAuthentication):
    """The console's own session, with its CSRF token."""
