"""The Django application."""

from django.apps import AppConfig


class JobsConfig(AppConfig):
    """Jobs, claims, audit events and the cached inventory."""

    name = "jobs"
    default_auto_field = "django.db.models.BigAutoField"
