"""The Django application."""

from django.apps import AppConfig


class AlertsConfig(AppConfig):
    """What is wrong, what is about to go wrong, and what pools do at this moment."""

    name = "alerts"
    default_auto_field = "django.db.models.BigAutoField"
