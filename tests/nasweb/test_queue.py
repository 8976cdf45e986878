"""The queue that is a folder, where there is no Redis."""

from __future__ import annotations

from django.conf import settings
from kombu import Connection


def test_it_names_a_host() -> None:
    """Without one kombu warns at each start."""
    assert Connection(settings.CELERY_BROKER_URL).hostname == "localhost"
    assert Connection("filesystem://").hostname is None
