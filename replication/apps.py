"""The Django application."""

from django.apps import AppConfig


class ReplicationConfig(AppConfig):
    """What is wanted, and the history of runs; what lies where, the machines themselves say."""

    name = "replication"
    default_auto_field = "django.db.models.BigAutoField"
