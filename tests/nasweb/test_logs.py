"""Where logs go: never between the words that a command says to a person."""

from __future__ import annotations

import io
import logging
import logging.config
import socket
import sys
from pathlib import Path

import pytest

from nasweb import logs


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("arguments", "stderr", "expected"),
    [
        (["manage.py", "token", "create", "x"], Terminal(), True),
        (["/opt/nasweb/current/manage.py", "setup"], Terminal(), True),
        (["manage.py", "setup"], io.StringIO(), False),
        (["manage.py", "runserver"], Terminal(), False),
        (["gunicorn"], Terminal(), False),
    ],
)
def test_a_command_that_a_person_types_is_known(
    monkeypatch: pytest.MonkeyPatch, arguments: list[str], stderr: io.StringIO, expected: bool
) -> None:
    monkeypatch.setattr(sys, "argv", arguments)
    monkeypatch.setattr(sys, "stderr", stderr)
    assert logs.at_terminal() is expected


def handler_of(configured: dict[str, object]) -> logging.Handler:
    """The one handler, made as logging itself makes it, without changing this process's loggers."""
    maker = logging.config.DictConfigurator(configured)
    formatters = {name: maker.configure_formatter(one) for name, one in maker.config["formatters"].items()}
    maker.config["formatters"] = formatters
    handler: logging.Handler = maker.configure_handler(maker.config["handlers"]["stream"])
    return handler


def test_its_events_go_to_the_journal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(logs, "_SOCKET", tmp_path / "log")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as journal:
        journal.bind(str(tmp_path / "log"))
        handler = handler_of(logs.configure(json=True, level="INFO", to_journal=True))
        handler.emit(logging.makeLogRecord({"msg": "made", "levelname": "INFO", "name": "audit"}))
        handler.close()
        line = journal.recv(4096).decode()
    assert "nasweb: {" in line and '"event": "made"' in line


def test_without_a_journal_they_are_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(logs, "_SOCKET", tmp_path / "log")
    handler = handler_of(logs.configure(json=True, level="INFO", to_journal=True))
    assert isinstance(handler, logging.NullHandler)


def test_a_program_logs_to_standard_error() -> None:
    handler = handler_of(logs.configure(json=True, level="INFO"))
    assert isinstance(handler, logging.StreamHandler) and handler.stream is sys.stderr
