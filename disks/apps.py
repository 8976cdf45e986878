"""The Django application."""

from django.apps import AppConfig


class DisksConfig(AppConfig):
    """Drives and their life stories, the chassis and what was taught of its bays."""

    name = "disks"
    default_auto_field = "django.db.models.BigAutoField"
