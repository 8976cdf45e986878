"""Real messages of Apprise, taken by servers inside the test."""

from __future__ import annotations

import email
import logging
import os
import threading
from email.header import decode_header, make_header

import pytest

from alerts.channels.sending import HELD, Limits, masked, send
from alerts.channels.words import Message
from tests.alerts.channels.receivers import hanging
from tests.alerts.channels.sinks import HttpSink, MailSink, listening

MESSAGE = Message(
    severity="critical", subject="[nas] Bay A3: a disk of tank is gone",
    text="Bay A3 (WDC WD30EFRX, serial WD-0003) – gone.\n\n1. Light up <bay A3> & check.",
)  # fmt: skip

IMPATIENT = Limits(connect_s=5.0, read_s=60.0, whole_s=0.2)  # as with one that drips: each byte is in time


def mail(sink: MailSink, **changes: str) -> dict[str, str]:
    values = {
        "to": "anna@example.org, ben@example.org", "sender": "nas@example.org", "server": "127.0.0.1",
        "encryption": "none", "port": str(sink.server_address[1]),
    }  # fmt: skip
    return values | changes


def test_a_mail_arrives_as_it_was_written() -> None:
    with listening(MailSink()) as sink:
        assert send("email", mail(sink), MESSAGE) == ""
    recipients = [line for envelope, _ in sink.taken for line in envelope if line.upper().startswith("RCPT")]
    assert {line.partition("<")[2].rstrip(">") for line in recipients} == {
        "anna@example.org",
        "ben@example.org",
    }
    parsed = email.message_from_string(sink.taken[0][1])
    assert str(make_header(decode_header(parsed["Subject"]))) == MESSAGE.subject
    assert "nas@example.org" in parsed["From"]
    (text,) = [part for part in parsed.walk() if part.get_content_type() == "text/plain"]
    body = text.get_payload(decode=True)
    assert isinstance(body, bytes)
    assert body.decode().replace("\r\n", "\n").strip() == MESSAGE.text
    assert all(part.get_content_type() != "text/html" for part in parsed.walk())


def test_a_refused_recipient_is_reported() -> None:
    with listening(MailSink()) as sink:
        said = send("email", mail(sink, to="nobody@example.org"), MESSAGE)
    assert "nobody lives here" in said


def test_a_webhook_gets_json_at_its_whole_address() -> None:
    with listening(HttpSink()) as sink:
        assert send("webhook", {"url": f"{sink.url}/hook/s3cret?door=4"}, MESSAGE) == ""
    ((path, _, data),) = sink.taken
    assert path == "/hook/s3cret?door=4"
    assert (data["title"], data["message"], data["type"]) == (MESSAGE.subject, MESSAGE.text, "failure")


def test_ntfy_and_gotify_get_their_tokens() -> None:
    with listening(HttpSink()) as sink:
        values = {"server": sink.url, "topic": "nas-topic", "token": "tk_abcdefgh"}
        assert send("ntfy", values, MESSAGE) == ""
        assert send("gotify", {"server": f"{sink.url}/push", "token": "Agotify123"}, MESSAGE) == ""
    (_, ntfy, pushed), (path, gotify, _) = sink.taken
    assert (ntfy["Authorization"], pushed["topic"], pushed["title"]) == (
        "Bearer tk_abcdefgh", "nas-topic", MESSAGE.subject,
    )  # fmt: skip
    assert pushed["message"] == MESSAGE.text
    assert (path, gotify["X-Gotify-Key"]) == ("/push/message", "Agotify123")


def test_no_redirect_is_followed() -> None:
    with listening(HttpSink()) as sink:
        sink.status = 307
        assert send("webhook", {"url": f"{sink.url}/hook/abc"}, MESSAGE) != ""
    assert [path for path, _, _ in sink.taken] == ["/hook/abc"]


def test_no_redirect_is_followed_that_an_address_asks_for() -> None:
    with listening(HttpSink()) as sink:
        sink.status = 307
        assert send("other", {"url": f"{_mattermost(sink)}?redirect=yes"}, MESSAGE) != ""
    assert [path for path, _, _ in sink.taken] == ["/hooks/abcdef123456"]


def test_nothing_is_sent_to_a_server_that_was_not_checked() -> None:
    """Apprise takes what follows the first @ for the server, and everybody else what follows the last."""
    with listening(HttpSink()) as sink:
        url = _mattermost(sink).replace("//", "//x@").replace("/abc", "@chat.example.org/abc")
        refused = send("other", {"url": url}, MESSAGE)
    assert refused == "Its address can be read in two ways. Write an “@” in a name or password as %40."
    assert sink.taken == []


def test_servers_that_never_end_their_answers_keep_no_other_message_from_its_way() -> None:
    with hanging() as port, listening(HttpSink()) as sink:
        slow = [{"url": f"http://127.0.0.1:{port}/{number}"} for number in range(os.cpu_count() or 1)]
        slow += [{"url": f"http://127.0.0.1:{port}/more/{number}"} for number in range(5)]
        said = [send("webhook", one, MESSAGE, IMPATIENT) for one in slow]
        assert set(said) == {"The server did not answer in time."}
        assert send("webhook", {"url": f"{sink.url}/hook"}, MESSAGE) == ""
        held = [thread for thread in threading.enumerate() if thread.name == "message"]
        assert [thread.daemon for thread in held] == [True] * len(slow)
    for thread in held:
        thread.join(20)


def test_a_server_that_holds_an_earlier_message_is_not_given_another_one() -> None:
    with hanging() as port:
        url = {"url": f"http://127.0.0.1:{port}/hook"}
        said = [send("webhook", url, MESSAGE, IMPATIENT) for _ in range(3)]
        assert said == ["The server did not answer in time.", HELD, HELD]
        (held,) = [thread for thread in threading.enumerate() if thread.name == "message"]
    held.join(20)
    assert send("webhook", url, MESSAGE) == "The server refused the connection: nothing listens there."


def _mattermost(sink: HttpSink) -> str:
    return f"{sink.url.replace('http:', 'mmost:')}/abcdef123456"


def test_a_failure_says_why_and_no_secret() -> None:
    with listening(HttpSink()) as sink:
        sink.status = 403
        refused = send("webhook", {"url": f"{sink.url}/hook/s3cret-path?key=hunter22"}, MESSAGE)
        gone = sink.url
    nobody = send("webhook", {"url": f"{gone}/hook/s3cret-path?key=hunter22"}, MESSAGE)
    assert "403" in refused
    assert nobody == "The server refused the connection: nothing listens there."
    assert "s3cret-path" not in refused + nobody
    assert "hunter22" not in refused + nobody


def test_secrets_are_masked_in_whatever_form() -> None:
    text = "POST /hook/pa%2Fss?x=1 failed for pa/ss, token tk_12345678"
    assert masked(text, ["pa/ss", "tk_12345678"]) == "POST /hook/…?x=1 failed for …, token …"


class Journal(logging.Handler):
    """Where the worker's log goes."""

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.text = ""

    def emit(self, record: logging.LogRecord) -> None:
        self.text += record.getMessage()


def test_what_apprise_logs_reaches_no_journal(monkeypatch: pytest.MonkeyPatch) -> None:
    journal, root = Journal(), logging.getLogger()
    monkeypatch.setattr(root, "handlers", [journal])
    monkeypatch.setattr(root, "level", logging.DEBUG)
    with listening(HttpSink()) as sink:
        assert send("webhook", {"url": f"{sink.url}/hook/s3cret-path"}, MESSAGE) == ""
    assert "s3cret-path" not in journal.text
