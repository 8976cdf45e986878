"""Settings of the sign-in library (django-allauth)."""

from __future__ import annotations

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from django.http import HttpRequest, HttpResponseBase

from accounts import devices, recorded
from accounts.models import User


class ClosedDoor(DefaultAccountAdapter):  # type: ignore[misc]
    """No sign-up, and no mail."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """Never."""
        return False

    def send_mail(self, template_prefix: str, email: str, context: dict[str, object]) -> None:
        """A NAS may have no mail; whoever lost the password is helped by an admin."""

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Count the guess before it is checked: by name and address, or by the browser that is known.

        The library counts by the name alone, so that anybody could lock its owner out. Raises
        `ValidationError`.
        """
        used = devices.count(request, str(credentials.get("username", "")), "login")
        if used is None:
            raise self.validation_error("too_many_login_attempts")
        self._login_failed_rl_usage = used  # given back after the right password

    def authentication_failed(self, request: HttpRequest, **credentials: Any) -> None:
        """The password was wrong, or there is no account of that name."""
        recorded.password_failed(request, str(credentials.get("username", "")))

    def post_login(self, request: HttpRequest, user: User, **how: Any) -> HttpResponseBase:
        """After the password and the second factor."""
        response: HttpResponseBase = super().post_login(request, user, **how)
        devices.remember(request, response, user.username)
        return response
