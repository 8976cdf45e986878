"""From incidents to messages, and from messages to those who are notified."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import msgspec
import pytest

from alerts import tasks
from alerts.channels import keys, stored
from alerts.channels.delivering import deliver
from alerts.channels.models import Channel, Delivery, IncidentNotice, WorkerKey
from alerts.channels.notifying import queue
from alerts.channels.requests import ChangeChannel
from alerts.channels.sealing import public_of
from alerts.incidents.recording import follow
from alerts.models import Incident
from host.simulated import SimulatedHost
from jobs.models import AuditEvent
from tests.alerts.cases import AT, disks, memory, raidz2
from tests.alerts.channels.conftest import ADA, Make, Sent
from tests.alerts.channels.sinks import HttpSink, listening

pytestmark = pytest.mark.django_db
MEMBERS = disks(8)
START = datetime.fromisoformat(AT)


def after(**span: float) -> datetime:
    return START + timedelta(**span)


def trouble(seconds: float = 0, **what: Any) -> None:
    """The incidents of a probe of a machine with `what` wrong."""
    moment = (START + timedelta(seconds=seconds)).isoformat()
    inventory = msgspec.structs.replace(raidz2(MEMBERS, **what), as_of=moment)
    follow(inventory, memory(MEMBERS, gone=what.get("gone", ())))


def change(channel: Channel, **changes: Any) -> Channel:
    request = ChangeChannel(**changes)
    return stored.change(channel, stored.wanted_change(request, channel, ADA), "admin")


def test_without_a_channel_nothing_is_written() -> None:
    trouble(gone=[2])
    assert (queue(after(minutes=5)), IncidentNotice.objects.count()) == (0, 0)


def test_a_pulled_disk_is_sent_once_and_its_end_too(make_channel: Make, sent: Sent) -> None:
    make_channel()
    trouble(gone=[2])
    assert [queue(after(seconds=seconds)) for seconds in (5, 10, 20, 25, 300)] == [0, 0, 1, 0, 0]
    assert deliver(after(seconds=25), sent) == 1
    ((kind, values, message),) = sent.taken
    assert (kind, values["url"], message.severity) == (
        "webhook", "http://127.0.0.1:9/hook/s3cret", "critical",
    )  # fmt: skip
    assert f"serial {MEMBERS[2].serial}" in message.text
    trouble(600)
    trouble(700)
    assert [queue(after(seconds=seconds)) for seconds in (710, 1000, 1005)] == [0, 1, 0]
    deliver(after(seconds=1005), sent)
    assert sent.taken[1][2].subject.startswith("[nas] Resolved: ")


def test_several_at_once_are_one_message_to_each_channel(make_channel: Make) -> None:
    make_channel()
    make_channel(name="Ben", lowest="critical")
    make_channel(name="off", enabled=False)
    trouble(gone=[1], leaves={4: {"checksum_errors": 12}})
    assert queue(after(minutes=1)) == 2
    anna, ben = Delivery.objects.order_by("channel__name")
    assert (anna.channel.name, "and 1 more" in anna.subject) == ("Anna", True)
    assert (ben.channel.name, "more" in ben.subject) == ("Ben", False)


def test_what_is_sent_is_sent_once(make_channel: Make, sent: Sent) -> None:
    make_channel()
    trouble(gone=[2])
    queue(after(minutes=1))
    assert [deliver(after(minutes=1), sent) for _ in range(3)] == [1, 0, 0]
    row = Delivery.objects.get()
    assert (row.state, row.tries, len(sent.taken)) == ("sent", 1, 1)
    assert row.channel.last_sent_at == after(minutes=1)


def test_another_worker_that_took_it_first_leaves_nothing_to_send(make_channel: Make, sent: Sent) -> None:
    make_channel()
    trouble(gone=[2])
    queue(after(minutes=1))

    def slow(kind: str, values: dict[str, str], message: Any) -> str:
        assert deliver(after(minutes=1), sent) == 0
        return ""

    assert deliver(after(minutes=1), slow) == 1
    assert sent.taken == []


def test_one_that_was_cut_off_is_tried_again(make_channel: Make, sent: Sent) -> None:
    make_channel()
    trouble(gone=[2])
    queue(after(minutes=1))
    Delivery.objects.update(state="sending", tries=1, claimed_at=after(minutes=1))
    assert deliver(after(minutes=5), sent) == 0
    assert deliver(after(minutes=7), sent) == 1
    assert Delivery.objects.get().tries == 2


def test_a_failure_is_tried_again_with_pauses_for_a_day(make_channel: Make, sent: Sent) -> None:
    channel = make_channel()
    sent.fault = "The server did not answer in time."
    trouble(gone=[2])
    queue(after(minutes=1))
    tried: list[float] = []
    for minute in (*range(1, 150), *range(150, 2000, 10)):
        before = len(sent.taken)
        deliver(after(minutes=minute), sent)
        tried += [minute] * (len(sent.taken) - before)
    assert tried[:6] == [1, 2, 7, 22, 82, 142]
    assert tried[-1] <= 24 * 60 + 1
    row = Delivery.objects.get()
    assert (row.state, row.said, row.tries) == ("failed", sent.fault, len(tried))
    channel.refresh_from_db()
    assert (channel.last_error, channel.failing_since) == (sent.fault, after(minutes=1))


def test_what_could_not_be_sent_for_a_day_is_sent_anew(make_channel: Make, sent: Sent) -> None:
    make_channel()
    trouble(gone=[2])
    queue(after(minutes=1))
    sent.fault = "The server did not answer in time."
    for hour in range(26):
        deliver(after(hours=hour, minutes=1), sent)
    assert Delivery.objects.get().state == "failed"
    sent.fault = ""
    assert queue(after(hours=26)) == 1
    assert deliver(after(hours=26), sent) == 1
    assert sent.taken[-1][2].subject == sent.taken[0][2].subject


def test_a_server_that_does_not_answer_holds_up_no_other(make_channel: Make, sent: Sent) -> None:
    slow = make_channel(name="slow")
    for _ in range(12):
        Delivery.objects.create(
            channel=slow, severity="warning", subject="x", text="x", created_at=START, due_at=START
        )
    sent.fault = "The server did not answer in time."
    deliver(after(seconds=1), sent)
    assert len(sent.taken) == 1
    other = make_channel(name="other")
    late = after(seconds=90)
    Delivery.objects.create(
        channel=other, severity="critical", subject="urgent", text="x", created_at=late, due_at=late
    )
    deliver(after(minutes=2), sent)
    assert [message.subject for *_, message in sent.taken] == ["x", "urgent", "x"]


def test_a_change_lets_what_waits_be_tried_at_once(make_channel: Make, sent: Sent) -> None:
    channel = make_channel()
    sent.fault = "No."
    trouble(gone=[2])
    queue(after(minutes=1))
    deliver(after(minutes=1), sent)
    sent.fault = ""
    change(channel, fields={"url": "http://127.0.0.1:9/hook/other"})
    Delivery.objects.update(due_at=after(minutes=1))  # the row has the real time
    assert deliver(after(minutes=1), sent) == 1
    assert sent.taken[-1][1]["url"] == "http://127.0.0.1:9/hook/other"
    channel.refresh_from_db()
    assert (channel.last_error, channel.failing_since) == ("", None)


def test_what_was_dropped_is_sent_once_the_channel_is_on_again(make_channel: Make) -> None:
    channel = make_channel()
    trouble(gone=[2])
    assert queue(after(minutes=1)) == 1
    for enabled in (False, True):
        change(channel, enabled=enabled)
    assert [queue(after(minutes=minutes)) for minutes in (30, 40)] == [1, 0]


def test_what_waits_is_dropped_when_the_channel_is_switched_off(make_channel: Make, sent: Sent) -> None:
    channel = make_channel()
    trouble(gone=[2])
    queue(after(minutes=1))
    change(channel, enabled=False)
    assert deliver(after(minutes=1), sent) == 0
    assert (Delivery.objects.get().state, sent.taken) == ("failed", [])


def test_a_secret_that_was_moved_to_another_server_is_not_shown_to_it(make_channel: Make, sent: Sent) -> None:
    channel = make_channel(kind="gotify", fields={"server": "http://127.0.0.1:9", "token": "Agotify1"})
    # As whoever writes to the database past the console would.
    Channel.objects.update(fields={"server": "http://127.0.0.1:10"})
    stored.try_out(Channel.objects.get(), "admin")
    Delivery.objects.update(state="queued")
    deliver(after(days=900), sent)
    assert sent.taken == []
    channel.refresh_from_db()
    assert "cannot be read" in channel.last_error


def test_the_worker_refuses_what_leads_to_the_machine_itself(
    make_channel: Make, sent: Sent, settings: Any
) -> None:
    channel = make_channel()
    settings.NASWEB_MESSAGES_TO_ITSELF = False
    trouble(gone=[2])
    queue(after(minutes=1))
    deliver(after(minutes=1), sent)
    channel.refresh_from_db()
    assert (sent.taken, "the NAS itself" in channel.last_error) == ([], True)


def test_no_secret_is_in_a_row_or_the_audit_log(make_channel: Make, sent: Sent) -> None:
    channel = make_channel()
    sent.fault = "refused"
    change(channel, name="new name")
    trouble(gone=[2])
    queue(after(minutes=1))
    deliver(after(minutes=1), sent)
    rows = [*Channel.objects.values(), *Delivery.objects.values(), *AuditEvent.objects.values()]
    assert "s3cret" not in repr(rows)
    assert sent.taken[0][1]["url"].endswith("s3cret")
    assert [event.action for event in AuditEvent.objects.order_by("pk")] == [
        "channel.create",
        "channel.change",
    ]


def test_a_real_message_reaches_a_real_server(simulated: SimulatedHost, make_channel: Make) -> None:
    with listening(HttpSink()) as sink:
        channel = make_channel(fields={"url": f"{sink.url}/hook/abc"})
        stored.try_out(channel, "admin")
    ((path, _, data),) = sink.taken
    assert (path, data["title"]) == ("/hook/abc", "[nas] A test of “Anna”")
    row = Delivery.objects.get()
    assert (row.test, row.state) == (True, "sent")


def test_the_workers_tick_publishes_its_key(make_channel: Make) -> None:
    WorkerKey.objects.all().delete()
    tasks.prepare_messages()
    assert WorkerKey.objects.get().public == public_of(keys.private_key())


def test_a_clock_that_jumps_makes_no_flood_and_loses_nothing(make_channel: Make, sent: Sent) -> None:
    """A day forward, a day back, and again; then on as usual."""
    make_channel()
    trouble(gone=[2])
    assert queue(after(minutes=1)) == 1
    there, back = after(days=1, minutes=5), after(minutes=6)
    assert [queue(there), queue(there), queue(there + timedelta(hours=3))] == [1, 0, 0]
    made = [queue(back + timedelta(minutes=minute)) for minute in range(60)]
    assert (sum(made), IncidentNotice.objects.get().at) == (0, back)
    assert [queue(back + timedelta(hours=hour)) for hour in (23, 24, 25, 47, 48)] == [0, 1, 0, 0, 1]


def test_a_reminder_says_how_long_it_is_open_and_what_to_do(make_channel: Make) -> None:
    make_channel(remind_hours=6)
    trouble(gone=[2])
    assert [queue(after(hours=hour)) for hour in (1, 6, 7, 8, 12, 13)] == [1, 0, 1, 0, 0, 1]
    last = Delivery.objects.first()
    assert last is not None
    assert last.subject.startswith("[nas] Still open: ")
    assert "not acknowledged. Since 2026-11-21 12:00 UTC. It has been open for 13 hours." in last.text
    assert "What to do next:\n1. " in last.text
    Incident.objects.update(acknowledged_at=after(hours=13))
    assert queue(after(hours=30)) == 0


def test_a_night_is_one_message_that_says_what_ended(make_channel: Make) -> None:
    channel = make_channel(
        quiet_from="20:00", quiet_until="07:00", text_template="{severity} on {machine}\n{what}"
    )
    Channel.objects.filter(pk=channel.pk).update(created_at=after(hours=-1))
    ten = 10 * 3600  # 22:00
    trouble(ten, leaves={4: {"checksum_errors": 12}, 5: {"checksum_errors": 9}})
    trouble(ten + 3600, leaves={5: {"checksum_errors": 9}})
    trouble(ten + 3700, leaves={5: {"checksum_errors": 9}})
    assert [queue(after(hours=hour)) for hour in (10, 12, 15, 18)] == [0, 0, 0, 0]
    assert [queue(after(hours=19)), queue(after(hours=19, minutes=5)), queue(after(hours=20))] == [1, 0, 0]
    message = Delivery.objects.get()
    assert "and 1 more" in message.subject
    assert message.text.startswith("warning on nas\nHeld back during quiet hours:\n\n")
    assert "began and was resolved during quiet hours" in message.text
    assert sorted(IncidentNotice.objects.values_list("over", flat=True)) == [False, True]


def test_only_the_digest_means_no_message_of_its_own(make_channel: Make) -> None:
    make_channel(name="Ben", digest="daily", at_once="critical")
    make_channel(name="Eve", digest="weekly", at_once="none")
    trouble(leaves={4: {"checksum_errors": 12}})
    assert queue(after(minutes=5)) == 0
    trouble(60, gone=[1], leaves={4: {"checksum_errors": 12}})
    assert queue(after(minutes=10)) == 1
    assert [one.channel.name for one in Delivery.objects.all()] == ["Ben"]


def test_messages_with_times_of_another_clock_are_sent(make_channel: Make, sent: Sent) -> None:
    make_channel()
    trouble(gone=[2])
    queue(after(minutes=1))
    assert deliver(after(days=-1), sent) == 1  # set back by a day before it was sent
    Delivery.objects.update(state="sending", claimed_at=after(days=1))
    assert deliver(after(minutes=2), sent) == 1
    Delivery.objects.update(state="queued", tries=0)
    sent.fault = "No."
    deliver(after(days=2), sent)  # set forward by two
    assert Delivery.objects.get().state == "queued"


def test_the_worker_looks_at_the_machines_own_addresses_before_it_sends(
    make_channel: Make, sent: Sent, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    channel = make_channel(fields={"url": "http://nas9.example.org/hook"})
    settings.NASWEB_MESSAGES_TO_ITSELF = False
    answer = [(2, 1, 6, "", ("192.0.2.17", 0))]
    monkeypatch.setattr("alerts.channels.delivering.socket.getaddrinfo", lambda *_, **__: answer)
    monkeypatch.setattr("alerts.channels.delivering.is_here", lambda address: address == "192.0.2.17")
    trouble(gone=[2])
    queue(after(minutes=1))
    deliver(after(minutes=1), sent)
    assert (sent.taken, "the NAS itself" in Delivery.objects.get().said) == ([], True)
    Channel.objects.filter(pk=channel.pk).update(to_itself=True)
    deliver(after(minutes=2), sent)
    assert len(sent.taken) == 1
