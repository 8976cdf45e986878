"""The console that the browser tests open pages of."""

from __future__ import annotations

import socket
from urllib.parse import urlsplit
from urllib.request import urlopen

import pytest

pytestmark = pytest.mark.browser


def test_a_connection_that_asks_nothing_holds_nobody_up(console: str) -> None:
    address = urlsplit(console)
    with (
        socket.create_connection((address.hostname, address.port), timeout=30),
        urlopen(f"{console}/accounts/login/", timeout=30) as answer,
    ):
        assert answer.status == 200
