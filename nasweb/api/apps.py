"""The Django application."""

from django.apps import AppConfig


class ApiConfig(AppConfig):
    """Templates and static files of the browsable documentation. It has no models."""

    name = "nasweb.api"
    label = "api"

    def ready(self) -> None:
        """Make the description of requests known to the generator of the schema."""
        from nasweb.api import schema  # noqa: F401
