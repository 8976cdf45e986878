"""The Django application."""

from django.apps import AppConfig


class PoolsConfig(AppConfig):
    """Pools, datasets and snapshots: of these only what the machine does not remember itself."""

    name = "pools"
    default_auto_field = "django.db.models.BigAutoField"
