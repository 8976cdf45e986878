"""Settings from the environment, and the secret that is made when there is none."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from nasweb import environment


def test_the_secret_is_made_once_and_for_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "secret-key"
    secret = environment.secret_key(path)
    assert len(secret) > 60 and environment.secret_key(path) == secret
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [entry.name for entry in tmp_path.iterdir()] == ["secret-key"]


def test_of_two_that_make_the_secret_at_once_one_wins(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "secret-key"
    link = os.link

    def late(source: Path, target: Path) -> None:
        path.write_text("made by another process meanwhile")
        link(source, target)

    monkeypatch.setattr(os, "link", late)
    assert environment.secret_key(path) == "made by another process meanwhile"


@pytest.mark.parametrize(("value", "expected"), [("1", True), ("yes", True), ("", False), ("0", False)])
def test_flags(monkeypatch: pytest.MonkeyPatch, value: str, expected: bool) -> None:
    monkeypatch.setenv("NASWEB_TEST", value)
    assert environment.flag("NASWEB_TEST") is expected


def test_lists_lose_their_blanks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NASWEB_TEST", " nas.example.com, ,b ")
    assert environment.words("NASWEB_TEST") == ["nas.example.com", "b"]


def test_a_folder_is_made_for_its_owner_alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("NASWEB_TEST", str(tmp_path / "a" / "b"))
    made = environment.folder("NASWEB_TEST", tmp_path)
    assert made == tmp_path / "a" / "b" and stat.S_IMODE(made.stat().st_mode) == 0o700


def test_where_the_console_listens_is_set_by_the_environment_then_by_the_run_then_by_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("BIND", "PORT"):
        monkeypatch.delenv(name, raising=False)
    path = tmp_path / "listens"
    assert environment.address(path) == ("127.0.0.1", "8000")
    path.write_text("0.0.0.0 8123\n")
    assert environment.address(path) == ("0.0.0.0", "8123")
    monkeypatch.setenv("PORT", "9000")
    assert environment.address(path) == ("0.0.0.0", "9000")
    path.write_text("")
    assert environment.address(path) == ("127.0.0.1", "9000")
