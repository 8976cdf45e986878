"""The Django application."""

from django.apps import AppConfig


class MachineConfig(AppConfig):
    """What the machine itself is set to, as far as the machine does not remember it."""

    name = "machine"
    default_auto_field = "django.db.models.BigAutoField"
