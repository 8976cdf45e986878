"""The Django application."""

from django.apps import AppConfig


class MachineConfig(AppConfig):
    """Settings of the machine itself that the machine does not store."""

    name = "machine"
    default_auto_field = "django.db.models.BigAutoField"
