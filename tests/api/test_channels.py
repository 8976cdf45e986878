"""`channels/`: settings that tell people, whose secrets are never answered."""

from __future__ import annotations

from typing import Any

import pytest
from rest_framework.test import APIClient

from accounts.models import User
from alerts.channels import keys
from alerts.channels.models import Channel, Delivery
from alerts.ping.models import Ping
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
    monkeypatch.setattr("alerts.api.channels.channel_row", lambda _: row)
    answer = getattr(api, method)(f"/api/v1/channels/{channel['id']}/{end}", {})
    assert (answer.status_code, answer.json()["detail"]) == (404, "There is no such channel.")
    assert not AuditEvent.objects.filter(action__in=("channel.change", "channel.delete")).exists()


REGULAR = {
    "remind_hours": 6, "at_once": "critical", "digest": "weekly", "alive": "monthly", "report": "weekly",
    "regular_at": "09:30", "regular_on": "friday", "title_template": "{machine}: {title}",
    "text_template": "{what}\n{{x}}",
}  # fmt: skip


def test_reminders_regular_messages_and_templates_are_settings(
    api: APIClient, channel: dict[str, Any]
) -> None:
    where = f"/api/v1/channels/{channel['id']}/"
    usual = {"remind_hours": 24, "at_once": "info", "digest": "none", "alive": "none", "report": "none",
             "regular_at": "08:00", "regular_on": "monday", "title_template": "", "text_template": "",
             "to_itself": False}  # fmt: skip
    assert {name: channel[name] for name in usual} == usual
    changed = api.patch(where, REGULAR).json()
    assert {name: changed[name] for name in REGULAR} == REGULAR
    assert api.get(where).json() == changed


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"remind_hours": 5}, "remind_hours"), ({"digest": "hourly"}, "digest"),
        ({"alive": "daily"}, "alive"),
        ({"report": "daily"}, "report"),
        ({"at_once": "warning"}, "at_once"), ({"regular_at": "24:00"}, "regular_at"),
        ({"regular_at": ""}, "regular_at"), ({"regular_on": "someday"}, "regular_on"),
        ({"title_template": "{title.x}"}, "title_template"), ({"title_template": "a\nb"}, "title_template"),
        ({"text_template": "{nope}"}, "text_template"), ({"text_template": "x" * 4001}, "text_template"),
        ({"to_itself": "maybe"}, "to_itself"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_them_is_told_at_its_field(
    api: APIClient, channel: dict[str, Any], change: dict[str, Any], field: str
) -> None:
    assert list(codes(api.patch(f"/api/v1/channels/{channel['id']}/", change))) == [field]


def test_templates_are_tried_with_a_sample(admin: User, api: APIClient) -> None:
    where = "/api/v1/channels/preview/"
    reader = caller(admin, "alerts:read")
    made = reader.post(where, {"title_template": "{severity}!", "text_template": "{link}"}).json()
    assert (made["subject"], made["text"].endswith("/alerts/")) == ("critical!", True)
    assert set(made["placeholders"]) == {"title", "severity", "machine", "what", "steps", "link"}
    assert reader.post(where, {}).json()["subject"] == "[nas] Bay A3: a disk of tank is gone"
    wrong = {"title_template": "{colour}", "text_template": "{", "time_zone": "Mars"}
    assert codes(api.post(where, wrong)) == {
        "title_template": "bad-template", "text_template": "bad-template", "time_zone": "bad-time-zone",
    }  # fmt: skip
    assert "{title}, {severity}" in str(api.post(where, wrong).json()["findings"])
    assert caller(admin, "pools:read").post(where, {}).status_code == 403


@pytest.mark.parametrize("about", ["digest", "alive"])
def test_regular_messages_are_sent_at_once_if_asked(
    admin: User, api: APIClient, with_key: None, settings: Any, about: str
) -> None:
    settings.NASWEB_MESSAGES_TO_ITSELF = True
    with listening(HttpSink()) as sink:
        ask = {"name": "hook", "kind": "webhook", "fields": {"url": f"{sink.url}/hook"}}
        where = f"/api/v1/channels/{api.post('/api/v1/channels/', ask).json()['id']}/send/"
        planned = api.post(f"{where}?dry_run=true", {"about": about})
        assert (planned.status_code, sink.taken) == (200, [])
        sent = api.post(where, {"about": about})
    assert (sent.status_code, sent.json()["state"], sent.json()["about"]) == (202, "sent", about)
    assert sink.taken[0][2]["title"] == planned.json()["subject"]
    assert codes(api.post(where, {"about": "gossip"})) == {"about": "invalid"}
    assert api.post("/api/v1/channels/99/send/", {"about": about}).status_code == 404
    assert caller(admin, "alerts:read").post(where, {"about": about}).status_code == 403


def test_only_an_admin_lets_it_lead_to_this_machine(admin: User, api: APIClient, with_key: None) -> None:
    hook = {"name": "hook", "kind": "webhook", "fields": {"url": "http://nas.local/hook"}}
    assert codes(api.post("/api/v1/channels/", hook)) == {"fields.url": "bad-value"}
    operator = caller(admin, "alerts:read", "alerts:write")
    asked = hook | {"to_itself": True}
    assert operator.post("/api/v1/channels/", asked).status_code == 403
    assert operator.post("/api/v1/channels/?dry_run=true", asked).status_code == 403
    made = api.post("/api/v1/channels/", asked)
    assert (made.status_code, made.json()["to_itself"]) == (201, True)
    where = f"/api/v1/channels/{made.json()['id']}/"
    moved = {"fields": {"url": "http://127.0.0.1:6379/"}}
    assert operator.patch(where, moved).status_code == 403
    assert operator.patch(where, {"name": "other", "lowest": "critical"}).status_code == 200
    assert api.patch(where, moved).status_code == 200
    assert codes(operator.patch(where, moved | {"to_itself": False})) == {"fields.url": "bad-value"}
    public = {"fields": {"url": "https://hooks.example.org/"}, "to_itself": False}
    assert operator.patch(where, public).status_code == 200
    assert operator.patch(where, {"to_itself": True}).status_code == 403


def test_the_ping_is_a_setting_whose_address_is_never_answered(
    admin: User, api: APIClient, with_key: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("alerts.ping.asking.ask", lambda *_, **__: "")
    where = "/api/v1/ping/"
    assert (api.get(where).json()["goes_to"], api.delete(where).status_code) == ("", 204)
    assert codes(api.patch(where, {"paused": True})) == {"fields.url": "required"}
    url = {"fields": {"url": "https://hc-ping.invalid/s3cret"}, "every_minutes": 15}
    shown = api.patch(f"{where}?dry_run=true", url)
    assert (shown.status_code, shown.json()["goes_to"], Ping.objects.exists()) == (
        200, "hc-ping.invalid", False,
    )  # fmt: skip
    answer = api.patch(where, url)
    assert (answer.status_code, answer.json()["every_minutes"]) == (200, 15)
    assert api.patch(where, {"paused": True, "enabled": False}).json()["paused"] is True
    assert b"s3cret" not in answer.content + api.get(where).content + api.get("/api/v1/audit/").content
    assert "s3cret" not in repr([*Ping.objects.values()])
    for wrong, field in (({"every_minutes": 0}, "every_minutes"), ({"every_minutes": 61}, "every_minutes"),
                         ({"fields": {"url": "http://127.0.0.1/"}}, "fields.url"),
                         ({"x": 1}, "x")):  # fmt: skip
        assert list(codes(api.patch(where, wrong))) == [field]
    reader = caller(admin, "alerts:read")
    assert (reader.get(where).status_code, reader.patch(where, {}).status_code) == (200, 403)
    assert api.delete(f"{where}?dry_run=true").json()["goes_to"] == "hc-ping.invalid"
    assert [api.delete(where).status_code, api.delete(where).status_code] == [204, 204]
