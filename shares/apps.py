"""The Django application."""

from django.apps import AppConfig


class SharesConfig(AppConfig):
    """Shares, and the people and groups that use them: of these only what the machine does not remember."""

    name = "shares"
    default_auto_field = "django.db.models.BigAutoField"
