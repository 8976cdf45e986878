"""Whether the certificate of a repository's server is trusted: of real servers in the test's process."""

from __future__ import annotations

from pathlib import Path

import pytest

from host.programs.backup.reaching import check_certificate
from host.repositories.words import RepositoryProblem
from tests.alerts.channels.receivers import hanging, https, signer

HERE = "127.0.0.1"


def refused(port: int, authority: str = "", name: str = HERE) -> RepositoryProblem:
    with pytest.raises(RepositoryProblem) as wrong:
        check_certificate(name, port, authority)
    return wrong.value


def test_a_certificate_is_held_to_the_authority_that_was_given(tmp_path: Path) -> None:
    context, authority = signer(tmp_path)
    with https(context) as server:
        check_certificate(HERE, server.server_port, authority)
        unknown = refused(server.server_port)
        assert unknown.code == "certificate" and "self-signed certificate" in str(unknown)
        other_name = refused(server.server_port, authority, name="localhost")
        assert other_name.code == "certificate" and "localhost" in str(other_name)


def test_another_authority_is_none(tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    one.mkdir()
    two.mkdir()
    context, _ = signer(one)
    with https(context) as server:
        assert refused(server.server_port, signer(two)[1]).code == "certificate"


def test_a_server_that_says_nothing_is_not_waited_for_forever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("host.programs.backup.reaching._ANSWERS_S", 0.2)
    with hanging() as port:
        assert refused(port).code == "unreachable"
