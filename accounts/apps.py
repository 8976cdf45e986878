"""The Django application."""

from django.apps import AppConfig


class AccountsConfig(AppConfig):
    """Accounts, tokens and the first account's code."""

    name = "accounts"
    label = "accounts"

    def ready(self) -> None:
        """Record what the sign-in library reports."""
        from accounts import recorded  # its models are there only now

        recorded.connect()
