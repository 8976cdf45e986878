"""The server of the tests in a browser: nothing of one test reaches the database of the next."""

from __future__ import annotations

from threading import Thread
from typing import Any

from django.core.handlers.wsgi import WSGIHandler

from tests.browser.conftest import OneAtATime

_ASKED = {"REQUEST_METHOD": "GET", "PATH_INFO": "/static/none", "wsgi.input": None}


def test_a_request_that_waits_for_its_turn_gets_none_once_its_test_is_over() -> None:
    server = OneAtATime(WSGIHandler())
    answers: list[str] = []

    def ask() -> None:
        def start(status: str, _headers: Any) -> None:
            answers.append(status)

        assert server(dict(_ASKED), start) == []

    with OneAtATime.turn:
        waits = Thread(target=ask)
        waits.start()
        server.over = True
    waits.join()
    assert answers == ["503 Service Unavailable"]
