"""Asks one address, and believes nobody on the way: for the worker alone.

The connection goes to the very address that was looked up and checked, so that a name which means something
else a moment later leads nowhere. No redirect is followed, little is read, and all of it has a time limit.
"""

from __future__ import annotations

import http.client
import socket
import ssl
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from threading import Timer
from urllib.parse import urlsplit

from django.views.decorators.debug import sensitive_variables

_CONNECT_S, _WHOLE_S = 10.0, 20.0
_MOST_BYTES = 4096
_MOST_ADDRESSES = 3
Fault = Callable[[str], str]  # why an address is not asked; empty where it is


@sensitive_variables("url", "split", "target")
def ask(url: str, fault: Fault, *, trusted_only: bool, whole_s: float = _WHOLE_S) -> str:
    """GET `url`. Why that failed, in words that hold none of its path; empty for a 2xx answer."""
    split = urlsplit(url)
    secure = split.scheme == "https"
    name, port = split.hostname or "", split.port or (443 if secure else 80)
    try:
        found = socket.getaddrinfo(name, port, type=socket.SOCK_STREAM)
    except OSError:
        return "The server's name was not found. Check it, and whether this machine has a DNS server."
    addresses = list(dict.fromkeys(str(one[4][0]) for one in found))
    for address in addresses:
        if said := fault(address):
            return said
    target = split._replace(scheme="", netloc="", fragment="").geturl() or "/"
    context = _context(trusted_only=trusted_only) if secure else None
    said = "The server has no address."
    for address in addresses[:_MOST_ADDRESSES]:
        late: list[bool] = []
        try:
            said = _get((address, port), context, name, split.netloc, target, whole_s, late)
        except (OSError, http.client.HTTPException, ValueError) as error:
            said = _words(error, late=bool(late))
        if not said:
            break
    return said


def _context(*, trusted_only: bool) -> ssl.SSLContext:
    context = ssl.create_default_context()
    if not trusted_only:
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
    return context


@sensitive_variables("target")
def _get(
    to: tuple[str, int], context: ssl.SSLContext | None, name: str, host: str, target: str, whole_s: float,
    late: list[bool],
) -> str:  # fmt: skip
    """Raises `OSError`, `HTTPException` and `ValueError`."""
    plain = socket.create_connection(to, timeout=min(_CONNECT_S, whole_s))
    if context is not None:
        plain = context.wrap_socket(plain, server_hostname=name, do_handshake_on_connect=False)
    with closing(plain), _within(plain, whole_s, late):
        if isinstance(plain, ssl.SSLSocket):
            plain.do_handshake()
        connection = http.client.HTTPConnection("checked")
        connection.sock = plain
        connection.putrequest("GET", target, skip_host=True, skip_accept_encoding=True)
        for header, value in (("Host", host), ("User-Agent", "Nasweb"), ("Connection", "close")):
            connection.putheader(header, value)
        connection.endheaders()
        answer = connection.getresponse()
        answer.read(_MOST_BYTES)
        return _verdict(answer.status)


@contextmanager
def _within(plain: socket.socket, whole_s: float, late: list[bool]) -> Iterator[None]:
    """Ends the connection once `whole_s` are over, however slowly it drips; then `late` is not empty."""

    def end() -> None:
        late.append(True)
        with suppress(OSError):
            socket.socket.shutdown(plain, socket.SHUT_RDWR)

    timer = Timer(whole_s, end)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _words(error: Exception, *, late: bool) -> str:
    if late or isinstance(error, TimeoutError):
        return "The server did not answer in time."
    if isinstance(error, ssl.SSLCertVerificationError):
        return "The server's certificate is not trusted by this machine."
    if isinstance(error, ConnectionRefusedError):
        return "The server refused the connection: nothing listens there."
    if isinstance(error, OSError) and error.strerror and not isinstance(error, ssl.SSLError):
        return f"The server cannot be reached: {error.strerror}."
    return "The server's answer was cut off, or is no HTTP."


def _verdict(status: int) -> str:
    if 200 <= status < 300:
        return ""
    if 300 <= status < 400:
        return f"The server answered with a redirect ({status}), which is not followed. Enter where it leads."
    return f"The server answered with status {status}."
