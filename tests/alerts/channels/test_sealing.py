"""Secrets: sealed by anybody, opened by the worker alone, and only for where they were meant."""

from __future__ import annotations

import stat
from pathlib import Path
from typing import Any

import pytest

from alerts import tasks
from alerts.channels import keys
from alerts.channels.kinds import KINDS
from alerts.channels.models import WorkerKey
from alerts.channels.sealing import CannotOpen, new_key, place, public_of, seal, unseal

MAIL = KINDS["email"]
VALUES = {"server": "smtp.example.org", "user": "nas", "to": "anna@example.org"}


def test_only_the_holder_of_the_key_opens_it() -> None:
    key = new_key()
    sealed = seal("hünter2", public_of(key), b"there")
    assert unseal(sealed, key, b"there") == "hünter2"
    assert "nter2" not in sealed
    for other, where in ((new_key(), b"there"), (key, b"elsewhere")):
        with pytest.raises(CannotOpen):
            unseal(sealed, other, where)


def test_the_same_secret_is_never_sealed_alike() -> None:
    public = public_of(new_key())
    assert seal("same", public, b"") != seal("same", public, b"")


@pytest.mark.parametrize("damaged", ["", "1:", "2:abcd", "1:!!!", "clear text"])
def test_what_was_never_sealed_is_not_taken_for_a_secret(damaged: str) -> None:
    with pytest.raises(CannotOpen):
        unseal(damaged, new_key(), b"")


@pytest.mark.parametrize(
    ("change", "same"),
    [
        ({"server": "evil.example.org"}, False), ({"user": "other"}, False), ({"encryption": "none"}, False),
        ({"certificate": "any"}, False), ({"to": "ben@example.org"}, True),
        ({"encryption": "starttls"}, True),
    ],
)  # fmt: skip
def test_a_secret_belongs_to_where_it_may_go(change: dict[str, str], same: bool) -> None:
    there = place(MAIL, VALUES, "password")
    assert (place(MAIL, VALUES | change, "password") == there) is same
    assert place(MAIL, VALUES, "user") != there


@pytest.mark.django_db
def test_the_key_is_made_once_for_the_worker_alone(settings: Any, tmp_path: Path) -> None:
    settings.NASWEB_CHANNEL_KEY = tmp_path / "state" / "channels.key"
    assert keys.public_key() is None
    keys.publish()
    key = keys.private_key()
    assert keys.public_key() == public_of(key)
    assert stat.S_IMODE(settings.NASWEB_CHANNEL_KEY.stat().st_mode) == 0o600
    assert [path.name for path in settings.NASWEB_CHANNEL_KEY.parent.iterdir()] == ["channels.key"]
    assert keys.private_key() == key
    WorkerKey.objects.update(public="of another machine")
    keys.publish()
    assert keys.public_key() == public_of(key)


@pytest.mark.django_db
@pytest.mark.parametrize("damaged", ["", "no key\n", "AAAA\n"])
def test_a_broken_key_keeps_nobody_from_being_notified(settings: Any, tmp_path: Path, damaged: str) -> None:
    settings.NASWEB_CHANNEL_KEY = tmp_path / "channels.key"
    settings.NASWEB_CHANNEL_KEY.write_text(damaged)
    with pytest.raises(OSError, match=r"channels\.key contains no key"):
        keys.publish()
    tasks.prepare_messages()
    tasks.tell()
    assert keys.public_key() is None
