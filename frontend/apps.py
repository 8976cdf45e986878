"""The Django application."""

from django.apps import AppConfig


class FrontendConfig(AppConfig):
    """Pages, templates and static files. It has no models."""

    name = "frontend"
