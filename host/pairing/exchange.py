"""Asks another Nasweb to be paired: one HTTPS request to an address that was looked up and checked before.

Its certificate is not looked at, since the code proves both sides (`protocol`); a redirect is not followed,
and all of it is bounded in time and size.
"""

from __future__ import annotations

import http.client
import socket
import ssl
from collections.abc import Callable
from contextlib import closing, suppress
from threading import Timer

from host.contents.ssh import host_fault
from host.pairing.protocol import LONGEST_ANSWER_BYTES, PATH, Answering, NotTheCode, ask, read_answer

_CONNECT_S, _WHOLE_S = 15.0, 40.0
# Host, port and what is sent → status and answer. Raises `OSError` and `HTTPException`.
Post = Callable[[str, int, bytes], tuple[int, bytes]]


class NotPaired(Exception):
    """They were not paired; the text says why and what helps."""


def pair(name: str, key: str, host: str, port: int, code: str, post: Post) -> Answering:
    """What the other Nasweb answers, once it has accepted `key` from a machine called `name`. Raises
    `NotPaired`."""
    data, asked = ask(name, key, code)
    try:
        status, answer = post(host, port, data)
    except (OSError, http.client.HTTPException) as error:
        raise NotPaired(_words(error)) from None
    if status in {404, 410}:
        raise NotPaired(
            f"{host} does not wait for this code. A code is valid for 10 minutes and for one use: have it "
            "show a new one, and type that."
        )
    if status == 429:
        raise NotPaired(f"Too many codes were tried at {host}. Wait a minute, then try again.")
    if status != 200:
        raise NotPaired(
            f"{host} answered with status {status}. Is that the address of the other Nasweb's console?"
        )
    try:
        return read_answer(answer, asked, code)
    except NotTheCode:
        raise NotPaired(
            f"The answer does not come from the machine that shows the code. Check that {host} is the right "
            "machine: somebody may stand between. Nothing was paired here."
        ) from None


def post(host: str, port: int, data: bytes) -> tuple[int, bytes]:
    """See `Post`."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    address = str(found[0][4][0])
    if fault := host_fault(address.partition("%")[0]):
        raise OSError(fault)
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    plain = socket.create_connection((address, port), timeout=_CONNECT_S)
    if plain.getsockname()[0] == plain.getpeername()[0]:
        plain.close()
        raise OSError("This address leads to this machine itself.")
    secure = context.wrap_socket(plain, server_hostname=host, do_handshake_on_connect=False)
    timer = Timer(_WHOLE_S, _end, (secure,))
    timer.daemon = True
    timer.start()
    with closing(secure):
        try:
            secure.do_handshake()
            connection = http.client.HTTPConnection(host, port)
            connection.sock = secure
            connection.request(
                "POST", PATH, data, {"Content-Type": "application/json", "Connection": "close"}
            )
            answer = connection.getresponse()
            return answer.status, answer.read(LONGEST_ANSWER_BYTES + 1)
        finally:
            timer.cancel()


def _end(plain: socket.socket) -> None:
    with suppress(OSError):
        socket.socket.shutdown(plain, socket.SHUT_RDWR)


def _words(error: Exception) -> str:
    if isinstance(error, socket.gaierror):
        return "The other machine's name was not found. Check it, or enter its address."
    if isinstance(error, TimeoutError):
        return "The other machine did not answer in time. Is it on, and is this its address?"
    if isinstance(error, ConnectionRefusedError):
        return "The other machine refused the connection: no console listens there."
    if isinstance(error, ssl.SSLError | http.client.HTTPException):
        return "What answers there is no console of Nasweb."
    return f"The other machine cannot be reached: {getattr(error, 'strerror', None) or error}"
