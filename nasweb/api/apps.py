"""The Django application."""

from django.apps import AppConfig


class ApiConfig(AppConfig):
    """Templates and static files of the browsable documentation. It has no models."""

    name = "nasweb.api"
    label = "api"

    def ready(self) -> None:
        """Make the queue and its tasks known to the web process, which sends them."""
        from nasweb import celery  # noqa: F401, I001 (first: the tasks are bound to its application)
        from alerts import tasks as of_alerts  # noqa: F401
        from jobs import tasks  # noqa: F401
