"""Composes the parts into one product: settings, URLs, the queue, accounts, and the table of operations."""

from nasweb.celery import app as celery_app

__all__ = ["celery_app"]
__version__ = "0.1.0"
