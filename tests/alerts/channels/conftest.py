"""Channels in rows, and a way to send that keeps what it was given."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from alerts.channels import keys, stored
from alerts.channels.models import Channel
from alerts.channels.requests import CreateChannel
from alerts.channels.words import Message
from alerts.rights import READS
from jobs.rights import ADMIN, Clockwork

Make = Callable[..., Channel]


class Sent:
    """Stands in for Apprise: keeps messages, and fails with `fault` while there is one."""

    def __init__(self) -> None:
        self.taken: list[tuple[str, dict[str, str], Message]] = []
        self.fault = ""

    def __call__(self, kind: str, values: dict[str, str], message: Message) -> str:
        self.taken.append((kind, values, message))
        return self.fault


ADA = Clockwork("ada", ADMIN, *READS)


@pytest.fixture
def sent() -> Sent:
    """What was sent."""
    return Sent()


@pytest.fixture
def make_channel(db: None, settings: Any, tmp_path: Path) -> Make:
    """Makes a channel; servers of this machine may be used, so that no name is looked up."""
    settings.NASWEB_CHANNEL_KEY = tmp_path / "channels.key"
    settings.NASWEB_MESSAGES_TO_ITSELF = True
    keys.publish()

    def make(**changes: Any) -> Channel:
        values: dict[str, Any] = {
            "name": "Anna", "kind": "webhook", "fields": {"url": "http://127.0.0.1:9/hook/s3cret"}
        }  # fmt: skip
        return stored.create(stored.wanted(CreateChannel(**(values | changes)), ADA), "admin")

    return make
