"""The Django application."""

from django.apps import AppConfig


class BackupsConfig(AppConfig):
    """Repositories, what is stored in them, and how that went."""

    name = "backups"
    default_auto_field = "django.db.models.BigAutoField"
