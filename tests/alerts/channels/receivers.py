"""Real receivers in the test's own process: mail with STARTTLS, HTTPS without trust, and one that hangs."""

from __future__ import annotations

import asyncio
import socket
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

from tests.alerts.channels.sinks import HttpSink, listening


def self_signed(folder: Path, *names: str) -> ssl.SSLContext:
    """A server's side of TLS with a certificate for 127.0.0.1 and `names` that nobody vouches for."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "receiver")])
    now = datetime.now(UTC)
    served = [x509.IPAddress(ip_address("127.0.0.1")), *map(x509.DNSName, names)]
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName(served), critical=False)
        .sign(key, hashes.SHA256())
    )
    both = folder / "receiver.pem"
    private = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    both.write_bytes(private + made.public_bytes(Encoding.PEM))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(both)
    return context


def signer(folder: Path, *names: str) -> tuple[ssl.SSLContext, str]:
    """As `self_signed`, with the PEM text of the certificate for whoever shall trust it."""
    context = self_signed(folder, *names)
    _, begin, rest = (folder / "receiver.pem").read_text().partition("-----BEGIN CERTIFICATE-----")
    return context, begin + rest


@contextmanager
def https(context: ssl.SSLContext) -> Iterator[HttpSink]:
    """As `HttpSink`, over TLS."""
    sink = HttpSink()
    sink.scheme = "https"
    sink.socket = context.wrap_socket(sink.socket, server_side=True)
    with listening(sink):
        yield sink


@contextmanager
def hanging() -> Iterator[int]:
    """The port of a server that takes connections and never says anything."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


class Post:
    """Keeps mail and who was let in; the account is `nas` with the password `hunter22`."""

    def __init__(self) -> None:
        self.taken: list[Envelope] = []

    async def handle_DATA(self, _: SMTP, _session: Session, envelope: Envelope) -> str:  # noqa: N802
        """Take it."""
        self.taken.append(envelope)
        return "250 fine"

    def let_in(
        self, _server: SMTP, _session: Session, _envelope: Envelope, _mechanism: str, asked: object
    ) -> AuthResult:
        """Whether the password is right."""
        right = isinstance(asked, LoginPassword) and (asked.login, asked.password) == (b"nas", b"hunter22")
        return AuthResult(success=right, handled=False)


class _OnAnyPort(Controller):
    def _trigger_server(self) -> None:
        assert isinstance(self.server, asyncio.Server)
        self.port = self.server.sockets[0].getsockname()[1]
        super()._trigger_server()  # type: ignore[no-untyped-call]


@contextmanager
def mail_server(context: ssl.SSLContext) -> Iterator[tuple[Post, int]]:
    """Takes mail after STARTTLS and a password; with its port."""
    post = Post()
    controller = _OnAnyPort(
        post, hostname="127.0.0.1", port=0, tls_context=context, require_starttls=True, auth_required=True,
        authenticator=post.let_in,
    )  # fmt: skip
    controller.start()
    try:
        yield post, controller.port
    finally:
        controller.stop()
