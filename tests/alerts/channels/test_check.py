"""What may be typed for a channel: the fields of its kind, and no address of this machine itself."""

from __future__ import annotations

from typing import Any

import pytest

from alerts.channels.check import check, goes_to, hosts_of
from alerts.channels.hosts import fault_of_address, fault_of_host
from alerts.channels.kinds import KINDS
from alerts.channels.requests import ChangeChannel, CreateChannel, Settings, changed, created
from alerts.channels.services import service
from jobs.plan import Refused
from jobs.planning.findings import Findings

GOOD: dict[str, dict[str, str]] = {
    "email": {"to": "anna@example.org,ben@example.org", "sender": "nas@example.org",
              "server": "smtp.example.org", "user": "nas", "password": "hunter22"},
    "ntfy": {"topic": "nas-k7f2"},
    "gotify": {"server": "https://push.example.org/gotify", "token": "AbcDef123"},
    "pushover": {"user": "u" * 30, "token": "a" * 30},
    "telegram": {"token": "123456789:AAabcdefghijklmnopqrstuvwxyz012345678", "chat": "12345"},
    "matrix": {"server": "https://matrix.example.org", "token": "syt_abc", "room": "#nas:example.org"},
    "discord": {"url": "https://discord.com/api/webhooks/4174216298/JHMHI8qBe7bk2ZwO5U711o3dV_js"},
    "slack": {"url": "https://hooks.slack.com/services/T1JJ3T3L2/A1BRTD4JD/TIiajkdnlazkcOXrIdevi7FQ"},
    "webhook": {"url": "http://192.168.1.20:8123/api/webhook/abc?x=1"},
    "other": {"url": "mmosts://chat.example.org/3ccdd113474722377935511fc85d3dd4"},
}  # fmt: skip


def faults(kind: str, values: dict[str, str], **more: Any) -> dict[str, str]:
    findings = Findings()
    check(KINDS[kind], values, findings, **more)
    return {finding.field.removeprefix("fields."): finding.code for finding in findings.all()}


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_can_be_filled_in_and_made_a_service_of(kind: str) -> None:
    from apprise import Apprise

    assert faults(kind, GOOD[kind]) == {}
    assert Apprise.instantiate(service(kind, GOOD[kind])) is not None


@pytest.mark.parametrize("kind", KINDS)
def test_what_a_kind_needs_is_asked_for(kind: str) -> None:
    needed = {field.name for field in KINDS[kind].fields if field.required and not field.default}
    assert faults(kind, {}) == dict.fromkeys(needed, "required")


@pytest.mark.parametrize(
    ("kind", "change"),
    [
        ("email", {"to": "anna"}), ("email", {"to": " , "}), ("email", {"sender": "nas@ex ample"}),
        ("email", {"server": "localhost"}), ("email", {"port": "0"}), ("email", {"port": "65536"}),
        ("email", {"encryption": "rot13"}), ("email", {"user": "a\nb"}), ("ntfy", {"topic": "two words"}),
        ("ntfy", {"server": "ntfy.sh"}), ("ntfy", {"server": "https://a:b@ntfy.sh"}),
        ("gotify", {"server": "file:///etc/passwd"}), ("gotify", {"server": "https://127.0.0.1"}),
        ("gotify", {"server": "https://push.example.org/?x"}), ("gotify", {"server": "https://[::1]:8443"}),
        ("gotify", {"server": "https://host:port"}), ("webhook", {"url": "http://169.254.169.254/latest"}),
        ("webhook", {"url": "http://0x7f.1/"}), ("webhook", {"url": "http://2130706433/"}),
        ("webhook", {"url": "gopher://example.org/"}), ("webhook", {"url": "http://[::ffff:127.0.0.1]/"}),
        ("discord", {"url": "https://example.org/api/webhooks/1/x"}),
        ("discord", {"url": "https://discord.com/api/webhooks/"}),
        ("discord", {"url": "https://discord.com:8080/api/webhooks/1/x"}),
        ("slack", {"url": "http://hooks.slack.com/services/A/B/C"}), ("other", {"url": "file:///etc/shadow"}),
        ("other", {"url": "dbus://"}), ("other", {"url": "syslog://"}), ("other", {"url": "json://localhost"}),
        ("other", {"url": "mmost://localhost/token"}), ("other", {"url": "mmost://127.0.0.1/token"}),
        ("other", {"url": "mmost://x@192.168.1.10:9000@chat.example.org/token"}),
        ("other", {"url": "mmost://x@192.168.1.10\\@chat.example.org/token"}),
    ],
)  # fmt: skip
def test_what_cannot_be_used_is_refused_at_its_field(kind: str, change: dict[str, str]) -> None:
    assert faults(kind, GOOD[kind] | change) == dict.fromkeys(change, "bad-value")


def test_a_password_is_not_sent_in_clear() -> None:
    assert faults("email", GOOD["email"] | {"encryption": "none"}) == {"encryption": "not-encrypted"}
    assert faults("email", GOOD["email"] | {"user": ""}) == {"user": "required"}
    without = GOOD["email"] | {"encryption": "none", "user": "", "password": ""}
    assert faults("email", without) == {}


@pytest.mark.parametrize(
    "host", ["10.0.0.5", "192.168.1.2", "fd00::5", "nas2", "push.example.org", "xn--mnchen-3ya.de", "a.b."]
)
def test_servers_of_the_own_network_and_the_internet_may_be_notified(host: str) -> None:
    assert fault_of_host(host) == ""


@pytest.mark.parametrize(
    "address",
    ["127.0.0.1", "127.8.8.8", "::1", "0.0.0.0", "::", "169.254.1.1", "fe80::1", "fe80::1%eno1", "224.0.0.1",
     "ff02::1", "255.255.255.255", "240.0.0.1", "::ffff:127.0.0.1", "::ffff:169.254.169.254"],
)  # fmt: skip
def test_this_machine_itself_and_what_is_no_server_may_not(address: str) -> None:
    assert fault_of_address(address) != ""
    assert fault_of_host(address) != ""


@pytest.mark.parametrize(
    "host",
    ["localhost", "LOCALHOST", "app.localhost", "localhost.localdomain", "ip6-localhost", "localhost."],
)
def test_nor_its_names(host: str) -> None:
    assert fault_of_host(host) != ""


def test_the_hosts_that_a_channel_leads_to_are_known_and_shown() -> None:
    assert hosts_of(KINDS["email"], GOOD["email"]) == ("smtp.example.org",)
    assert hosts_of(KINDS["ntfy"], GOOD["ntfy"]) == ("ntfy.sh",)
    assert hosts_of(KINDS["webhook"], GOOD["webhook"]) == ("192.168.1.20",)
    assert hosts_of(KINDS["other"], GOOD["other"]) == ("chat.example.org",)
    shown = {kind: goes_to(KINDS[kind], values) for kind, values in GOOD.items()}
    assert shown["email"] == "anna@example.org,ben@example.org"
    assert (shown["slack"], shown["telegram"]) == ("hooks.slack.com", "Telegram")


def refused(call: Any) -> dict[str, str]:
    with pytest.raises(Refused) as caught:
        call()
    return {finding.field: finding.code for finding in caught.value.findings}


def test_a_new_channel_keeps_its_secrets_apart() -> None:
    made = created(CreateChannel(name=" Anna ", kind="email", fields=GOOD["email"]))
    assert (made.name, made.typed, "password" in made.fields) == ("Anna", {"password": "hunter22"}, False)
    assert made.fields["encryption"] == "starttls"


def test_all_that_is_wrong_is_reported_at_once() -> None:
    asked = CreateChannel(
        name=" ", kind="ntfy", fields={"server": "x", "colour": "red"}, topics=(), quiet_from="22:00",
        time_zone="Mars",
    )  # fmt: skip
    assert refused(lambda: created(asked)) == {
        "name": "bad-name", "fields.server": "bad-value", "fields.colour": "unknown-field",
        "fields.topic": "required", "topics": "required", "quiet_until": "required",
        "time_zone": "bad-time-zone",
    }  # fmt: skip


def stored(kind: Any, **fields: str) -> Settings:
    made = created(CreateChannel(name="it", kind=kind, fields=GOOD[kind] | fields))
    return Settings(name="it", kind=kind, fields=made.fields, kept=tuple(made.typed), goes_to=made.goes_to)


def test_a_change_keeps_what_is_sealed() -> None:
    after = changed(ChangeChannel(name="new", fields={"to": "ben@example.org"}), stored("email"))
    assert (after.name, after.kept, after.typed) == ("new", ("password",), {})
    assert after.fields["to"] == "ben@example.org"
    assert changed(ChangeChannel(fields={"password": ""}), stored("email")).kept == ()
    assert changed(ChangeChannel(name="x"), stored("webhook")).goes_to == "192.168.1.20"


def test_another_server_asks_for_the_secrets_again() -> None:
    before = stored("email")
    moved = ChangeChannel(fields={"server": "evil.example.org"})
    assert refused(lambda: changed(moved, before)) == {"fields.password": "secret-again"}
    again = ChangeChannel(fields={"server": "smtp2.example.org", "password": "other"})
    assert changed(again, before).typed == {"password": "other"}
    assert refused(lambda: changed(ChangeChannel(fields={"certificate": "any"}), stored("webhook"))) == {
        "fields.url": "secret-again"
    }


def test_a_secret_that_is_needed_cannot_be_cleared() -> None:
    assert refused(lambda: changed(ChangeChannel(fields={"topic": ""}), stored("ntfy"))) == {
        "fields.topic": "required"
    }
