"""Channels whose secrets were sealed for another machine: found out and reported before a message fails."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

import msgspec
import pytest
from django.test import Client
from rest_framework.test import APIClient

from accounts.models import User
from alerts.channels import keys, locked, sealing, stored
from alerts.channels.models import Channel
from alerts.channels.requests import ChangeChannel
from alerts.doctor.examine import examine
from alerts.evidence import ChannelsCare, Evidence, FailingChannel, LockedChannel
from alerts.incidents.causes import causes
from nasweb.backup import BACKUP_TABLES
from tests import made
from tests.alerts.channels.conftest import ADA, Make
from tests.pools.arrays import machine

MAIL = {
    "name": "Anna", "kind": "email",
    "fields": {"to": "anna@example.org", "sender": "nas@example.org", "server": "127.0.0.1", "user": "nas",
               "password": "s3cret words"},
}  # fmt: skip
LOCKED = Evidence(locked=(LockedChannel(id=7, name="Phone", titles=("Token",)),))


@pytest.fixture(autouse=True)
def nothing_seen_yet(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(locked._Seen, "mark", b"")


def on_new_sticks(settings: Any, tmp_path: Path) -> str:
    """Another worker with a key of its own."""
    settings.NASWEB_CHANNEL_KEY = tmp_path / "other.key"
    keys.publish()
    return keys.private_key()


def test_a_channel_that_works_is_not_locked(make_channel: Make) -> None:
    row = make_channel()
    locked.examine(keys.private_key())
    row.refresh_from_db()
    assert (row.lost, locked.care()) == ([], ())


def test_on_another_machine_it_has_to_be_typed_again(
    make_channel: Make, settings: Any, tmp_path: Path
) -> None:
    row = make_channel()
    private = on_new_sticks(settings, tmp_path)
    locked.examine(private)
    row.refresh_from_db()
    assert (row.lost, locked.titles(row)) == (["url"], ("Address of the webhook",))
    assert locked.care() == (LockedChannel(id=row.pk, name="Anna", titles=("Address of the webhook",)),)
    change = ChangeChannel(fields={"url": "http://127.0.0.1:9/hook/another"})
    stored.change(row, stored.wanted_change(change, row, ADA), "admin")
    row.refresh_from_db()
    assert row.lost == []
    locked.examine(private)
    assert locked.care() == ()


def test_one_that_is_switched_off_is_no_trouble(make_channel: Make, settings: Any, tmp_path: Path) -> None:
    make_channel(enabled=False)
    locked.examine(on_new_sticks(settings, tmp_path))
    assert locked.care() == ()


def test_a_copy_without_secrets_remembers_that_there_were_some(make_channel: Make) -> None:
    row = make_channel(**MAIL)
    (table,) = [one for one in BACKUP_TABLES.tables if one.name == "alerts_channel"]
    with sqlite3.connect(":memory:") as copy:
        copy.execute("CREATE TABLE alerts_channel (secrets TEXT, lost TEXT)")
        copy.executemany(
            "INSERT INTO alerts_channel VALUES (?, '[\"x\"]')",
            [(msgspec.json.encode(row.secrets).decode(),), ("{}",)],
        )
        for column, value in table.blank.items():
            copy.execute(f'UPDATE "alerts_channel" SET "{column}" = {value}')
        found = copy.execute("SELECT secrets, lost FROM alerts_channel").fetchall()
    copy.close()
    assert [(msgspec.json.decode(one), lost) for one, lost in found] == [({"password": ""}, "[]"), ({}, "[]")]


def test_an_optional_password_that_stayed_behind_is_missed(make_channel: Make) -> None:
    row = make_channel(**MAIL)
    Channel.objects.update(secrets={"password": ""})
    locked.examine(keys.private_key())
    row.refresh_from_db()
    assert row.lost == ["password"]


def test_a_token_that_is_not_there_at_all_is_missed(make_channel: Make) -> None:
    row = make_channel()
    Channel.objects.update(secrets={})
    row.refresh_from_db()
    assert locked.lost(row, keys.private_key()) == ("url",)
    row.kind = "pigeon"
    assert locked.lost(row, keys.private_key()) == ()


def test_nothing_is_opened_while_nothing_differs(make_channel: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    make_channel()
    private = keys.private_key()
    locked.examine(private)
    opened: list[str] = []
    monkeypatch.setattr(sealing, "unseal", lambda *asked: opened.append(asked[0]))
    locked.examine(private)
    assert opened == []


def test_it_is_an_incident_and_a_finding() -> None:
    (cause,) = causes(machine(), LOCKED)
    assert (cause.kind, cause.severity, cause.title) == (
        "channel-locked", "warning", "No notifications can be sent by “Phone”",
    )  # fmt: skip
    assert [step.page for step in cause.steps] == ["/settings/notifications/7/"]
    failing = FailingChannel(id=7, name="Phone", since="", said="", waiting=1)
    inventory = msgspec.structs.replace(made.inventory(), as_of="2026-11-21T12:00:00+00:00")
    memory = msgspec.structs.replace(LOCKED, channels=ChannelsCare(count=1, failing=(failing,)))
    codes = [one.code for one in examine(inventory, memory).findings]
    assert "channel-locked" in codes and "messages-do-not-arrive" not in codes


def test_page_and_api_say_what_has_to_be_typed(
    make_channel: Make, settings: Any, tmp_path: Path, api: APIClient, admin: User
) -> None:
    row = make_channel()
    browser = Client()
    browser.force_login(admin)
    locked.examine(on_new_sticks(settings, tmp_path))
    assert "Enter again: Address of the webhook" in browser.get("/settings/notifications/").content.decode()
    page = browser.get(f"/settings/notifications/{row.pk}/").content.decode()
    assert "This channel sends no notifications at the moment" in page and 'placeholder="kept"' not in page
    assert api.get(f"/api/v1/channels/{row.pk}/").json()["locked"] == ["url"]
