"""How the sign-in library behaves here."""

from __future__ import annotations

from allauth.account.adapter import DefaultAccountAdapter
from django.http import HttpRequest


class ClosedDoor(DefaultAccountAdapter):  # type: ignore[misc]
    """Nobody makes an account for themselves, and nothing is mailed."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """Never."""
        return False

    def send_mail(self, template_prefix: str, email: str, context: dict[str, object]) -> None:
        """A NAS may have no mail; whoever lost the password is helped by an admin."""
