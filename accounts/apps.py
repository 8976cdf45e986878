"""The Django application."""

from django.apps import AppConfig


class AccountsConfig(AppConfig):
    """Accounts, tokens and the first account's code."""

    name = "accounts"
    label = "accounts"
