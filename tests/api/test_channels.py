"""`channels/`: settings that tell people, whose secrets are never answered."""

from __future__ import annotations

from typing import Any

import pytest
from rest_framework.test import APIClient

from accounts.models import User
from alerts.channels import keys
from alerts.channels.models import Channel, Delivery
from jobs.models import AuditEvent
from tests.alerts.channels.sinks import HttpSink, listening
from tests.conftest import caller

MAIL = {
    "name": "Anna", "kind": "email",
    "fields": {"to": "anna@example.org", "sender": "nas@example.org", "server": "smtp.example.org",
               "user": "nas", "password": "hunter22"},
}  # fmt: skip


@pytest.fixture
def with_key(settings: Any, tmp_path: Any, db: None) -> None:
    """The worker has started once."""
    settings.NASWEB_CHANNEL_KEY = tmp_path / "channels.key"
    keys.publish()


@pytest.fixture
def channel(api: APIClient, with_key: None) -> dict[str, Any]:
    """A channel by mail."""
    made = api.post("/api/v1/channels/", MAIL)
    assert made.status_code == 201, made.json()
    answer: dict[str, Any] = made.json()
    return answer


def codes(answer: Any) -> dict[str, str]:
    assert answer.status_code == 422
    return {finding["field"]: finding["code"] for finding in answer.json()["findings"]}


def test_a_channel_is_made_and_its_secret_is_answered_to_nobody(
    api: APIClient, channel: dict[str, Any]
) -> None:
    where = f"/api/v1/channels/{channel['id']}/"
    assert (channel["secrets"], channel["goes_to"], channel["enabled"]) == (
        ["password"],
        "anna@example.org",
        True,
    )
    assert channel["fields"] == {
        "to": "anna@example.org", "sender": "nas@example.org", "server": "smtp.example.org", "user": "nas",
        "encryption": "starttls", "certificate": "checked",
    }  # fmt: skip
    assert api.get(where).json() == channel
    assert api.get("/api/v1/channels/").json()["results"] == [channel]
    answers = (
        api.get(where).content + api.get("/api/v1/channels/").content + api.get("/api/v1/audit/").content
    )
    assert b"hunter22" not in answers
    assert "hunter22" not in repr(Channel.objects.values())


def test_a_dry_run_makes_nothing(api: APIClient, with_key: None) -> None:
    answer = api.post("/api/v1/channels/?dry_run=true", MAIL)
    assert (answer.status_code, answer.json()["secrets"]) == (200, ["password"])
    assert b"hunter22" not in answer.content
    assert not Channel.objects.exists()


def test_before_the_worker_has_started_nothing_secret_can_be_kept(api: APIClient) -> None:
    assert codes(api.post("/api/v1/channels/", MAIL)) == {"": "no-worker"}
    assert not Channel.objects.exists()


def test_it_is_changed_in_parts(api: APIClient, channel: dict[str, Any]) -> None:
    where = f"/api/v1/channels/{channel['id']}/"
    change = {
        "name": "Anna and Ben", "fields": {"to": "anna@example.org, ben@example.org"}, "lowest": "critical",
        "quiet_from": "22:00", "quiet_until": "07:00", "time_zone": "Europe/Berlin",
    }  # fmt: skip
    shown = api.patch(f"{where}?dry_run=true", change)
    assert (shown.status_code, shown.json()["name"]) == (200, "Anna and Ben")
    assert api.get(where).json() == channel
    changed = api.patch(where, change)
    assert changed.status_code == 200
    assert changed.json() == shown.json()
    assert changed.json()["secrets"] == ["password"]
    event = AuditEvent.objects.first()
    assert event is not None
    assert (event.action, event.actor) == ("channel.change", "admin")
    assert event.detail["changed"] == [
        "fields", "goes_to", "lowest", "name", "quiet_from", "quiet_until", "time_zone"
    ]  # fmt: skip


def test_another_server_is_not_shown_the_password(api: APIClient, channel: dict[str, Any]) -> None:
    where = f"/api/v1/channels/{channel['id']}/"
    moved = {"fields": {"server": "evil.example.org"}}
    assert codes(api.patch(where, moved)) == {"fields.password": "secret-again"}
    moved["fields"]["password"] = "another"
    assert api.patch(where, moved).status_code == 200


def test_it_is_deleted(api: APIClient, channel: dict[str, Any]) -> None:
    where = f"/api/v1/channels/{channel['id']}/"
    assert api.delete(f"{where}?dry_run=true").json() == channel
    assert api.delete(where).status_code == 204
    assert [api.get(where).status_code, api.delete(where).status_code] == [404, 404]
    assert api.get(f"/api/v1/channels/{1 << 70}/").status_code == 404


def test_a_test_is_sent_and_its_result_answered(api: APIClient, with_key: None, settings: Any) -> None:
    settings.NASWEB_MESSAGES_TO_ITSELF = True
    with listening(HttpSink()) as sink:
        ask = {"name": "hook", "kind": "webhook", "fields": {"url": f"{sink.url}/hook/s3cret"}}
        made = api.post("/api/v1/channels/", ask).json()
        where = f"/api/v1/channels/{made['id']}/test/"
        planned = api.post(f"{where}?dry_run=true")
        assert (planned.status_code, sink.taken, planned.json()["goes_to"]) == (200, [], "127.0.0.1")
        sent = api.post(where)
        sink.status = 500
        failed = api.post(where).json()
    assert (sent.status_code, sent.json()["state"]) == (202, "sent")
    assert sink.taken[0][2]["title"] == planned.json()["subject"] == sent.json()["subject"]
    assert (failed["state"], failed["tries"], "500" in failed["said"]) == ("failed", 1, True)
    assert api.get(sent.headers["Location"]).json() == sent.json()
    report = api.get(f"/api/v1/channels/{made['id']}/deliveries/").json()["results"]
    assert [one["state"] for one in report] == ["failed", "sent"]
    shown = api.get(f"/api/v1/channels/{made['id']}/").json()
    assert shown["last_sent_at"] is not None
    assert shown["last_error"] == failed["said"]
    assert "s3cret" not in repr([*Delivery.objects.values()])


def test_it_takes_the_scopes_of_alerts(admin: User, api: APIClient, channel: dict[str, Any]) -> None:
    where = f"/api/v1/channels/{channel['id']}/"
    reader, stranger = caller(admin, "alerts:read"), caller(admin, "pools:write")
    assert [reader.get(where).status_code, stranger.get(where).status_code] == [200, 403]
    for method, path in (("patch", where), ("delete", where), ("post", f"{where}test/")):
        assert getattr(reader, method)(path).status_code == 403
    assert reader.post("/api/v1/channels/", MAIL).status_code == 403


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"kind": "pigeon"}, "kind"), ({"fields": {"to": 5}}, "fields.to"), ({"topics": []}, "topics"),
        ({"quiet_from": "25:00"}, "quiet_from"), ({"topics": ["weather"]}, "topics[0]"),
        ({"time_zone": "Mars"}, "time_zone"),
        ({"lowest": "huge"}, "lowest"), ({"name": ""}, "name"), ({"colour": "red"}, "colour"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_told_at_its_field(
    api: APIClient, with_key: None, change: dict[str, Any], field: str
) -> None:
    assert field in codes(api.post("/api/v1/channels/", MAIL | change))


@pytest.mark.parametrize(("method", "end"), [("patch", ""), ("delete", ""), ("post", "test/")])
def test_a_channel_that_somebody_else_deleted_meanwhile_is_not_there(
    api: APIClient, channel: dict[str, Any], monkeypatch: pytest.MonkeyPatch, method: str, end: str
) -> None:
    row = Channel.objects.get()
    Channel.objects.all().delete()
    monkeypatch.setattr("alerts.api.channels._row", lambda _: row)
    answer = getattr(api, method)(f"/api/v1/channels/{channel['id']}/{end}", {})
    assert (answer.status_code, answer.json()["detail"]) == (404, "There is no such channel.")
    assert not AuditEvent.objects.filter(action__in=("channel.change", "channel.delete")).exists()
