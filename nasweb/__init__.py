"""Composes the product: settings, addresses, the table of operations, accounts and the API."""

from nasweb.celery import app as celery_app

__all__ = ["celery_app"]
