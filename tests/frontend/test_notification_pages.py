"""Notifications on their pages: added by kind, tried, changed without seeing what is secret, deleted."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from alerts.channels import keys
from alerts.channels.kinds import KINDS
from alerts.channels.models import Channel
from alerts.ping.models import Ping
from tests.alerts.channels.sinks import HttpSink, listening
from tests.frontend.test_key_pages import text

PAGE = "/settings/notifications/"
MAIL = {
    "name": "Anna", "field-to": "anna@example.org", "field-sender": "nas@example.org",
    "field-server": "smtp.example.org", "field-user": "nas", "field-password": "hunter22",
    "field-encryption": "starttls", "field-certificate": "checked", "lowest": "warning",
    "topics": ["disks", "storage", "schedules"], "time_zone": "Europe/Berlin", "tells_end": "yes",
    "enabled": "yes",
}  # fmt: skip


@pytest.fixture(autouse=True)
def with_key(settings: Any, tmp_path: Path, db: None) -> None:
    """The worker has started once."""
    settings.NASWEB_CHANNEL_KEY = tmp_path / "channels.key"
    keys.publish()


def add(browser: Client, kind: str = "email", **changes: Any) -> Channel:
    answer = browser.post(f"{PAGE}add/{kind}/", MAIL | changes)
    assert answer.status_code == 302, text(answer)
    return Channel.objects.get()


def test_an_empty_list_says_what_a_channel_is_for(browser: Client) -> None:
    page = text(browser.get(PAGE))
    assert "No notifications configured" in page
    assert all(f"{PAGE}add/{kind}/" in page for kind in KINDS)


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_asks_for_its_own_fields_and_no_more(browser: Client, kind: str) -> None:
    answer = browser.get(f"{PAGE}add/{kind}/")
    assert [field.name for field in answer.context["fields"]] == [f.name for f in KINDS[kind].fields]
    assert all(f'id="{field.id}"' in text(answer) for field in answer.context["fields"])


def test_a_channel_is_added_and_listed_without_its_secret(browser: Client) -> None:
    row = add(browser)
    assert (row.name, row.fields["to"], list(row.secrets)) == ("Anna", "anna@example.org", ["password"])
    page = text(browser.get(PAGE))
    assert "not tested yet" in page
    assert "anna@example.org" in page
    form = text(browser.get(f"{PAGE}{row.pk}/"))
    assert 'value="smtp.example.org"' in form
    assert "leave empty to keep it" in form
    assert "hunter22" not in page + form


def test_what_is_wrong_stands_at_its_field_and_what_was_typed_stays(browser: Client) -> None:
    answer = browser.post(f"{PAGE}add/email/", MAIL | {"field-to": "anna", "topics": []})
    page = text(answer)
    assert answer.status_code == 422
    assert set(answer.context["errors"].by_field) == {"field-to", "topics"}
    assert 'value="anna"' in page
    assert "enter them again" in page
    assert "hunter22" not in page
    assert not Channel.objects.exists()


def test_a_secret_that_is_too_long_is_refused_and_not_cut(browser: Client) -> None:
    answer = browser.post(f"{PAGE}add/email/", MAIL | {"field-password": "x" * 1001})
    assert (answer.status_code, set(answer.context["errors"].by_field)) == (422, {"field-password"})
    assert not Channel.objects.exists()


@pytest.mark.parametrize("end", ["", "test/", "delete/"])
def test_what_somebody_else_deleted_meanwhile_is_missing(
    browser: Client, monkeypatch: pytest.MonkeyPatch, end: str
) -> None:
    row = add(browser)
    Channel.objects.all().delete()
    monkeypatch.setattr("frontend.notifications.page.row_of", lambda _: row)
    answer = browser.post(f"{PAGE}{row.pk}/{end}", MAIL)
    assert answer.status_code == 404
    assert not Channel.objects.exists()


def test_a_change_keeps_the_secret_that_was_left_empty(browser: Client) -> None:
    row = add(browser)
    sealed = row.secrets["password"]
    change = MAIL | {"name": "Ben", "field-to": "ben@example.org", "field-password": ""}
    assert browser.post(f"{PAGE}{row.pk}/", change).status_code == 302
    row.refresh_from_db()
    assert (row.name, row.fields["to"], row.secrets["password"]) == ("Ben", "ben@example.org", sealed)
    assert browser.post(f"{PAGE}{row.pk}/", change | {"field-password": "new"}).status_code == 302
    row.refresh_from_db()
    assert row.secrets["password"] != sealed
    dropped = change | {"drop-password": "yes", "field-user": ""}
    assert browser.post(f"{PAGE}{row.pk}/", dropped).status_code == 302
    row.refresh_from_db()
    assert row.secrets == {}


def test_another_server_asks_for_the_password(browser: Client) -> None:
    row = add(browser)
    moved = browser.post(
        f"{PAGE}{row.pk}/", MAIL | {"field-password": "", "field-server": "evil.example.org"}
    )
    assert moved.status_code == 422
    assert set(moved.context["errors"].by_field) == {"field-password"}


def test_a_test_is_sent_and_what_became_of_it_is_shown(browser: Client, settings: Any) -> None:
    settings.NASWEB_MESSAGES_TO_ITSELF = True
    with listening(HttpSink()) as sink:
        row = add(browser, "webhook", **{"field-url": f"{sink.url}/hook"})
        mark = browser.get(PAGE).context["mark"]
        assert browser.get(f"{PAGE}?seen={mark}", headers={"HX-Request": "true"}).status_code == 204
        browser.post(f"{PAGE}{row.pk}/test/")
        good = text(browser.get(f"{PAGE}?seen={mark}", headers={"HX-Request": "true"}))
        sink.status = 500
        browser.post(f"{PAGE}{row.pk}/test/")
        bad = text(browser.get(PAGE))
    assert len(sink.taken) == 2
    assert ("Test: sent" in good, "works" in good, "<html" in good) == (True, True, False)
    assert ("Test: failed" in bad, "messages are not delivered" in bad, "error=500" in bad) == (
        True,
        True,
        True,
    )
    assert "A test of" in text(browser.get(f"{PAGE}{row.pk}/"))


def test_it_is_deleted(browser: Client) -> None:
    row = add(browser)
    assert browser.post(f"{PAGE}{row.pk}/delete/").status_code == 302
    assert not Channel.objects.exists()
    assert browser.get(f"{PAGE}{row.pk}/").status_code == 404
    assert browser.get(f"{PAGE}add/pigeon/").status_code == 404


def test_a_viewer_reads_and_changes_nothing(browser: Client, viewer: Client) -> None:
    row = add(browser)
    assert "disabled" in text(viewer.get(PAGE))
    assert viewer.get(f"{PAGE}{row.pk}/").status_code == 200
    for path in ("add/email/", f"{row.pk}/", f"{row.pk}/test/", f"{row.pk}/delete/"):
        assert viewer.post(f"{PAGE}{path}", MAIL).status_code == 403
    assert Channel.objects.count() == 1


HOOK = MAIL | {"field-url": "https://hooks.example.org/s3cret"}


def test_a_preview_keeps_what_was_typed_and_saves_nothing(browser: Client) -> None:
    own = {"do": "preview", "title_template": "{severity}!", "text_template": "a\r\n{link}"}
    shown = browser.post(f"{PAGE}add/webhook/", HOOK | own)
    assert (shown.status_code, Channel.objects.exists()) == (200, False)
    assert shown.context["preview"].subject == "critical!"
    assert 'value="{severity}!"' in text(shown) and "enter them again" in text(shown)
    assert "s3cret" not in text(shown)
    wrong = browser.post(f"{PAGE}add/webhook/", HOOK | own | {"text_template": "{x}"})
    assert (wrong.status_code, set(wrong.context["errors"].by_field)) == (422, {"text_template"})
    live = browser.post("/preview/notification/", {"text_template": "{x.y}"})
    assert (live.status_code, "There is no placeholder {x.y}" in text(live)) == (200, True)
    assert "<html" not in text(live)


def test_regular_messages_are_chosen_and_sent_at_once(
    browser: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("alerts.digest.queueing.broker.send", lambda _: True)  # no name is looked up
    row = add(
        browser, digest="weekly", alive="monthly", at_once="warning", remind_hours="6", regular_at="09:30"
    )
    assert (row.digest, row.alive, row.at_once, row.remind_hours, row.regular_at) == (
        "weekly", "monthly", "warning", 6, "09:30",
    )  # fmt: skip
    assert "weekly digest, “still alive” monthly" in text(browser.get(PAGE))
    assert browser.post(f"{PAGE}{row.pk}/send/", {"about": "alive"}).status_code == 302
    assert row.deliveries.get().about == "alive"
    assert browser.post(f"{PAGE}{row.pk}/send/", {"about": "gossip"}).status_code == 404
    assert browser.post(f"{PAGE}99/send/", {"about": "alive"}).status_code == 404
    wrong = browser.post(f"{PAGE}add/email/", MAIL | {"at_once": "none", "remind_hours": "x"})
    assert set(wrong.context["errors"].by_field) == {"remind_hours"}
    wrong = browser.post(f"{PAGE}add/email/", MAIL | {"at_once": "none"})
    assert set(wrong.context["errors"].by_field) == {"at_once"}


def test_only_an_admin_ticks_that_it_may_lead_to_this_machine(browser: Client, operator: Client) -> None:
    hook = HOOK | {"field-url": "http://127.0.0.1:9/x", "to_itself": "yes"}
    assert operator.post(f"{PAGE}add/webhook/", hook).status_code == 403
    row = add(browser, "webhook", **hook)
    assert row.to_itself
    page = text(operator.get(f"{PAGE}{row.pk}/"))
    assert "Only an admin can change this" in page
    renamed = {name: value for name, value in HOOK.items() if name not in {"to_itself", "field-url"}}
    assert operator.post(f"{PAGE}{row.pk}/", renamed | {"name": "Ben"}).status_code == 302
    row.refresh_from_db()
    assert (row.name, row.to_itself) == ("Ben", True)
    assert operator.post(f"{PAGE}{row.pk}/", HOOK).status_code == 403
    row.refresh_from_db()
    assert row.goes_to == "127.0.0.1"


def test_the_ping_is_set_up_paused_and_deleted(
    browser: Client, viewer: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("alerts.ping.asking.ask", lambda *_, **__: "")
    where = f"{PAGE}ping/"
    assert "Set up a ping" in text(browser.get(PAGE))
    ask = {"url": "https://hc-ping.invalid/s3cret", "every_minutes": "10", "enabled": "yes",
           "certificate": "checked"}  # fmt: skip
    wrong = browser.post(where, ask | {"every_minutes": "99", "url": "http://localhost/"})
    assert (wrong.status_code, set(wrong.context["errors"].by_field)) == (422, {"every_minutes", "url"})
    assert "enter it again" in text(wrong) and not Ping.objects.exists()
    assert browser.post(where, ask).status_code == 302
    page = text(browser.get(where)) + text(browser.get(PAGE))
    assert "hc-ping.invalid" in page and "s3cret" not in page
    assert browser.post(where, ask | {"url": "", "paused": "yes"}).status_code == 302
    assert (Ping.objects.get().paused, "paused" in text(browser.get(PAGE))) == (True, True)
    assert [viewer.get(where).status_code, viewer.post(where, ask).status_code] == [200, 403]
    assert viewer.post(f"{where}delete/").status_code == 403
    assert [browser.post(f"{where}delete/").status_code for _ in range(2)] == [302, 404]
