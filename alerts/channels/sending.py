"""Sends one message by Apprise. For the worker alone: nothing else imports this."""

from __future__ import annotations

import logging
import re
import threading
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import NamedTuple
from urllib.parse import quote, unquote

import apprise
from apprise.common import NotifyFormat, NotifyType, PersistentStoreMode
from django.views.decorators.debug import sensitive_variables

from alerts.channels.check import TWO_READINGS, hosts_of
from alerts.channels.kinds import KINDS
from alerts.channels.services import service
from alerts.channels.words import Message
from alerts.incidents.cause import Severity


class _Refused(Exception):
    """It is not sent; the text says why."""


class Limits(NamedTuple):
    """How long a server is waited for."""

    connect_s: float = 10.0
    read_s: float = 15.0
    whole_s: float = 60.0


_TYPES: dict[Severity, NotifyType] = {
    "critical": NotifyType.FAILURE, "warning": NotifyType.WARNING, "info": NotifyType.INFO,
}  # fmt: skip

_PATIENCE = Limits()
_LONGEST = 400
_SHORTEST_SECRET = 4
# No redirect: where it led would not have been checked. No file is kept. With a time limit Apprise would work
# in a pool of a few threads, and send nothing more once as many servers do not end their answers.
_ASSET = apprise.AppriseAsset(
    app_id="Nasweb", app_desc="Nasweb", app_url="", async_mode=False, http_redirects=False,
    secure_logging=True, storage_mode=PersistentStoreMode.MEMORY, service_timeout=0,
)  # fmt: skip
_logger = logging.getLogger("apprise")
# What it logs while it works holds messages and tokens, and goes nowhere but to `_listen`.
_logger.propagate = False
_logger.setLevel(logging.DEBUG)
logging.getLogger("urllib3").setLevel(logging.INFO)  # it logs the paths of webhooks, which are secrets
_late: dict[int, threading.Thread] = {}  # what still waits for its server, by a hash of where that leads
_TOO_LATE = "The server did not answer in time."
HELD = "The server has not let go yet of an earlier message, which it did not answer in time."
_REASON = "Socket Exception: "  # of all that, what the network or the server said
_KNOWN = (
    ("CERTIFICATE_VERIFY_FAILED", "The server's certificate is not trusted by this machine."),
    ("Name or service not known", "The server's name was not found."),
    ("Failed to resolve", "The server's name was not found."),
    ("name resolution", "The server's name could not be looked up."),
    ("Connection refused", "The server refused the connection: nothing listens there."),
    ("No route to host", "The server cannot be reached from this machine's network."),
    ("Network is unreachable", "This machine's network has no route to the server."),
    (
        "Operation not permitted",
        "The worker's own address filter (IPAddressDeny of its unit) blocks the server.",
    ),
    ("timed out", _TOO_LATE),
    ("(535, ", "The server rejected the user name or password."),
)


@sensitive_variables("values")
def send(kind: str, values: dict[str, str], message: Message, limits: Limits = _PATIENCE) -> str:
    """Why it could not be sent; empty when the service took it. Waits no longer than `limits` say.

    A server that drips its answer is in time with each byte, for ever. So each message has a thread of its
    own, which nobody waits for in the end; one such thread is enough for each channel.
    """
    place = hash((kind, *sorted(values.items())))
    if (earlier := _late.pop(place, None)) is not None and earlier.is_alive():
        _late[place] = earlier
        return HELD
    said: list[str] = []
    thread = threading.Thread(
        target=lambda: said.append(_send(kind, values, message, limits)), name="message", daemon=True
    )
    thread.start()
    thread.join(limits.whole_s)
    if said:
        return said[0]
    _late[place] = thread
    return _TOO_LATE


@sensitive_variables("values", "secrets")
def _send(kind: str, values: dict[str, str], message: Message, limits: Limits) -> str:
    fields = KINDS[kind].fields
    secrets = [values[field.name] for field in fields if field.secret and values.get(field.name)]
    heard: list[str] = []
    try:
        with _listen(heard):
            sent = _notify(kind, values, message, limits)
    except _Refused as refused:
        return str(refused)
    except Exception as error:  # noqa: BLE001 - whatever a service does, the message is tried again
        return _error([f"{type(error).__name__}: {error}"], secrets)
    return "" if sent else _error(heard, secrets)


@sensitive_variables("values", "made")
def _notify(kind: str, values: Mapping[str, str], message: Message, limits: Limits) -> bool:
    made = service(kind, values)
    if isinstance(made, dict):
        made |= {"cto": limits.connect_s, "rto": limits.read_s}
    plugin = apprise.Apprise.instantiate(made, asset=_ASSET)
    if plugin is None:
        return False
    plugin.redirects = False  # whatever the address of an “other” service asks for
    if isinstance(made, str) and not _is_checked(values, plugin.host):
        raise _Refused(TWO_READINGS)
    return bool(
        apprise.Apprise(plugin, asset=_ASSET).notify(
            body=message.text, title=message.subject, notify_type=_TYPES[message.severity],
            body_format=NotifyFormat.TEXT,
        )
    )  # fmt: skip


def _is_checked(values: Mapping[str, str], host: str | None) -> bool:
    """Whether the service asks the server that was checked. Those of fixed servers were not asked which."""
    hosts = hosts_of(KINDS["other"], values)
    return not hosts or (host or "").strip("[]").lower() in hosts


class _Listener(logging.Handler):
    """Keeps what is said of a failure in the thread that it is made in: others send other messages."""

    def __init__(self, said: list[str]) -> None:
        super().__init__(logging.DEBUG)
        self._said = said
        self._thread = threading.get_ident()

    def emit(self, record: logging.LogRecord) -> None:
        """Warnings and errors, and what the network said."""
        text = record.getMessage()
        if record.thread != self._thread:
            return
        if record.levelno >= logging.WARNING or text.startswith(_REASON):
            self._said.append(text.removeprefix(_REASON))


@contextmanager
def _listen(said: list[str]) -> Iterator[None]:
    listener = _Listener(said)
    _logger.addHandler(listener)
    try:
        yield
    finally:
        _logger.removeHandler(listener)


def _error(said: list[str], secrets: Iterable[str]) -> str:
    """What is kept and shown of a failure: in plain words where they are known, and without any secret."""
    whole = " ".join(said)
    known = next((words for sign, words in _KNOWN if sign.lower() in whole.lower()), "")
    text = known or whole or "The message could not be sent, for an unknown reason."
    return masked(text, secrets)[:_LONGEST]


def masked(text: str, secrets: Iterable[str]) -> str:
    """`text` without the secrets and without their parts, in the forms that addresses have them in."""
    parts = {part for secret in secrets for part in (secret, *re.split(r"[/?&=:@#]+", secret))}
    spelt = {form for part in parts for form in (part, unquote(part), quote(part, safe=""))}
    for part in sorted(spelt, key=len, reverse=True):
        if len(part) >= _SHORTEST_SECRET:
            text = text.replace(part, "…")
    return text
