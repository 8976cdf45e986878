"""From an incident to a real receiver: what arrives, and what is known of it here where it does not."""

from __future__ import annotations

import email
import email.policy
import ssl
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import msgspec
import pytest

from alerts.channels.delivering import deliver
from alerts.channels.models import Channel, Delivery
from alerts.channels.notifying import queue
from alerts.channels.sending import Limits, send
from alerts.channels.standing import care
from alerts.channels.words import Message
from alerts.digest import queueing
from alerts.doctor.examine import examine
from alerts.incidents.recording import follow
from tests.alerts.cases import AT, disks, memory, raidz2
from tests.alerts.channels.conftest import Make
from tests.alerts.channels.receivers import hanging, https, mail_server, self_signed
from tests.alerts.channels.sinks import HttpSink, listening

pytestmark = pytest.mark.django_db
MEMBERS = disks(6)
START = datetime.fromisoformat(AT)
NOT_TRUSTED = "The server's certificate is not trusted by this machine."
TOO_LATE = "The server did not answer in time."


@pytest.fixture
def tls(tmp_path: Path) -> ssl.SSLContext:
    return self_signed(tmp_path)


def quickly(kind: str, values: dict[str, str], message: Message) -> str:
    """For servers that never answer: all others have the time that they need on a busy machine."""
    return send(kind, values, message, Limits(connect_s=0.2, read_s=0.2, whole_s=5.0))


def after(**span: float) -> datetime:
    return START + timedelta(**span)


def a_disk_is_gone() -> None:
    inventory = raidz2(MEMBERS, gone=[2])
    follow(inventory, memory(MEMBERS, gone=[2]))


def tell(moment: datetime, by: Callable[[str, dict[str, str], Message], str] = send) -> Delivery:
    """The message about it, once its receiver was tried."""
    assert queue(moment) == 1
    deliver(moment, by)
    found = Delivery.objects.first()
    assert found is not None
    return found


def mailed(port: int, **fields: str) -> dict[str, Any]:
    values = {"to": "anna@example.org", "sender": "nas@example.org", "server": "127.0.0.1", "port": str(port),
              "user": "nas", "password": "hunter22", "certificate": "any"}  # fmt: skip
    return {"kind": "email", "fields": values | fields}


def test_mail_by_starttls_and_password(make_channel: Make, tls: ssl.SSLContext) -> None:
    a_disk_is_gone()
    with mail_server(tls) as (post, port):
        make_channel(**mailed(port))
        sent = tell(after(minutes=1))
    assert (sent.state, sent.tries, sent.said) == ("sent", 1, "")
    (envelope,) = post.taken
    assert (envelope.mail_from, envelope.rcpt_tos) == ("nas@example.org", ["anna@example.org"])
    assert isinstance(envelope.content, bytes)
    arrived = email.message_from_bytes(envelope.content, policy=email.policy.default)
    body = arrived.get_body(("plain",))
    assert (arrived["Subject"], body is not None) == (sent.subject, True)
    assert body is not None and f"serial {MEMBERS[2].serial}" in body.get_content()


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"certificate": "checked"}, NOT_TRUSTED),
        ({"password": "wrong-one"}, "The server rejected the user name or password."),
    ],
)
def test_mail_that_is_not_taken_is_tried_again(
    make_channel: Make, tls: ssl.SSLContext, fields: dict[str, str], said: str
) -> None:
    a_disk_is_gone()
    with mail_server(tls) as (post, port):
        make_channel(**mailed(port, **fields))
        waits = tell(after(minutes=1))
    assert (waits.state, waits.said, waits.due_at) == ("queued", said, after(minutes=2))
    assert post.taken == []


def test_ntfy_over_tls(make_channel: Make, tls: ssl.SSLContext) -> None:
    a_disk_is_gone()
    with https(tls) as sink:
        make_channel(
            kind="ntfy", fields={"server": sink.url, "topic": "nas-k7f2q9x4", "certificate": "any"}
        )  # fmt: skip
        sent = tell(after(minutes=1))
    ((path, _, data),) = sink.taken
    assert (path, data["topic"], data["title"], data["message"]) == (
        "/", "nas-k7f2q9x4", sent.subject, sent.text
    )  # fmt: skip
    assert sent.state == "sent"


def test_a_certificate_that_nobody_vouches_for_is_not_taken(make_channel: Make, tls: ssl.SSLContext) -> None:
    a_disk_is_gone()
    with https(tls) as sink:
        make_channel(fields={"url": f"{sink.url}/hook"})
        waits = tell(after(minutes=1))
    assert (waits.state, waits.said, sink.taken) == ("queued", NOT_TRUSTED, [])


def test_one_that_hangs_and_one_that_fails_are_told_in_the_console(make_channel: Make) -> None:
    a_disk_is_gone()
    with hanging() as port:
        slow = make_channel(name="slow", fields={"url": f"http://127.0.0.1:{port}/hook"})
        assert (tell(after(minutes=1), quickly).said, found(slow)) == (TOO_LATE, TOO_LATE)
        mail = make_channel(name="mail", **mailed(port))
        assert tell(after(minutes=1), quickly).said == TOO_LATE
    Channel.objects.filter(pk__in=(slow.pk, mail.pk)).delete()
    with listening(HttpSink()) as sink:
        sink.status = 500
        broken = make_channel(name="broken", fields={"url": f"{sink.url}/hook"})
        waits = tell(after(minutes=1))
        assert (waits.state, "500" in waits.said, "500" in found(broken)) == ("queued", True, True)
        sink.status = 200
        deliver(after(minutes=2), send)
    waits.refresh_from_db()
    assert (waits.state, waits.tries, len(sink.taken)) == ("sent", 2, 2)
    assert care().failing == ()


@pytest.mark.parametrize("make", ["reminder", "digest", "alive"])
def test_reminders_and_regular_messages_that_do_not_arrive_are_told_too(
    make_channel: Make, make: str
) -> None:
    a_disk_is_gone()
    with listening(HttpSink()) as sink:
        channel = make_channel(
            fields={"url": f"{sink.url}/hook"}, digest="daily", alive="weekly", regular_on="monday"
        )
        tell(after(minutes=1))
        queueing.queue(after(minutes=1))
        sink.status = 500
        moments: dict[str, tuple[Callable[[datetime], int], datetime]] = {
            "reminder": (queue, after(hours=25)), "digest": (queueing.queue, after(hours=24)),
            "alive": (queueing.queue, after(days=7)),
        }  # fmt: skip
        make_it, moment = moments[make]
        assert make_it(moment) >= 1
        deliver(moment, send)
    assert "500" in found(channel)
    assert Delivery.objects.filter(state="queued", tries=1).count() >= 1


def found(channel: Channel) -> str:
    """What the doctor says of the channel's messages."""
    inventory = raidz2(MEMBERS, gone=[2])
    evidence = msgspec.structs.replace(memory(MEMBERS, gone=[2]), channels=care())
    figures = [
        figure.value
        for one in examine(inventory, evidence).findings
        if one.code == "messages-do-not-arrive" and one.subject.id == f"channel:{channel.pk}"
        for figure in one.evidence
        if figure.name == "Said"
    ]
    return " ".join(figures)
