"""What two Naswebs send each other when they are paired, and why either believes it.

One shows a code of 80 random bits; its owner types it at the other one, which asks. Both messages carry an
HMAC-SHA256 by a key that is derived from the code, which itself is never sent. So it does not matter who sits
between, or whose TLS certificate that is: without the code nobody can put another key into either message,
and to search 2^80 codes for the one that fits a message takes too long by far. The answer's HMAC covers what
was asked, with its nonce, so that no earlier answer fits; each message names its direction, so that none can
be sent back. The code ends with its first use, after ten minutes, or after five messages that it does not
fit.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from typing import Annotated

import msgspec
from msgspec import Meta

from host.contents.ssh import HostKeys, PublicKey, SshPort, key_fault
from host.typed import decode_by

PATH = "/api/v1/pairings/answer/"
LONGEST_BYTES = 16_384  # of a message that asks
LONGEST_ANSWER_BYTES = 131_072  # two hundred names of datasets, too
ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"  # RFC 4648: five bits a letter
LETTERS, GROUP = 16, 4
VALID_S = 600.0
_ALIKE = str.maketrans("018", "OIB")
USER = "nasweb-peer"  # as whom a paired machine signs in
_CONTEXT = b"nasweb pairing 1\0"
_MachineName = Annotated[str, Meta(pattern=r"\A[^\x00-\x1f\x7f]{1,64}\Z")]
_Version = Annotated[str, Meta(pattern=r"\A[^\x00-\x1f\x7f]{0,64}\Z")]
_DatasetName = Annotated[str, Meta(pattern=r"\A[A-Za-z][A-Za-z0-9_.:\-/ ]*\Z", max_length=255)]
_Shared = Annotated[tuple[_DatasetName, ...], Meta(max_length=200)]


class NotTheCode(Exception):
    """A message that was not made with this code, or no message at all."""


class Asking(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Who asks: its name, and the public key by which it will connect."""

    name: _MachineName
    key: PublicKey
    nonce: Annotated[str, Meta(pattern=r"\A[0-9a-f]{32}\Z")]


class Answering(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Who answers: its name, how its SSH server is known, below which dataset replicas go, and what else may
    be read there."""

    name: _MachineName
    user: Annotated[str, Meta(pattern=r"\A[a-z][a-z0-9\-]{0,31}\Z")]
    port: SshPort
    host_keys: HostKeys
    root: _DatasetName
    shared: _Shared = ()
    zfs: _Version = ""  # of OpenZFS


class _Message(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    said: Annotated[str, Meta(max_length=LONGEST_ANSWER_BYTES)]  # JSON, of which every byte counts
    mac: Annotated[str, Meta(pattern=r"\A[0-9a-f]{64}\Z")]


_message: msgspec.json.Decoder[_Message] = msgspec.json.Decoder(_Message)
_asking: msgspec.json.Decoder[Asking] = msgspec.json.Decoder(Asking)
_answering: msgspec.json.Decoder[Answering] = msgspec.json.Decoder(Answering)


def make_code() -> str:
    """A new code: 16 letters and digits."""
    return "".join(secrets.choice(ALPHABET) for _ in range(LETTERS))


def shown(code: str) -> str:
    """`ABCD-EFGH-IJKL-MNOP`."""
    return "-".join(code[at : at + GROUP] for at in range(0, LETTERS, GROUP))


def plain(typed: str) -> str:
    """What somebody typed, as it is used: capital letters without hyphens and blanks, and 0, 1 and 8, which
    no code has, as the letters that they look like."""
    return "".join(typed[: 4 * LETTERS].split()).replace("-", "").upper().translate(_ALIKE)


def code_fault(typed: str) -> str | None:
    """Why that is no code; None where it may be one."""
    found = plain(typed)
    if len(found) != LETTERS or not set(found) <= set(ALPHABET):
        return "A code has 16 letters and digits, in four groups."
    return None


def ask(name: str, key: str, code: str) -> tuple[bytes, str]:
    """The message that asks, and what was said in it, which `read_answer` takes."""
    said = msgspec.json.encode(Asking(name=name, key=key, nonce=secrets.token_hex(16))).decode()
    return _sealed(said, _mac(code, b"ask", said)), said


def read_ask(data: bytes, code: str) -> tuple[Asking, str]:
    """Who asks, and what was said. Raises `NotTheCode`."""
    said = _opened(data, LONGEST_BYTES, code, b"ask")
    try:
        asking = decode_by(_asking, said)
    except msgspec.DecodeError:
        raise NotTheCode from None
    if key_fault(asking.key):
        raise NotTheCode
    return asking, said


def answer(answering: Answering, asked: str, code: str) -> bytes:
    """The message that answers what was `asked`."""
    said = msgspec.json.encode(answering).decode()
    return _sealed(said, _mac(code, b"answer", asked, said))


def read_answer(data: bytes, asked: str, code: str) -> Answering:
    """Raises `NotTheCode`."""
    said = _opened(data, LONGEST_ANSWER_BYTES, code, b"answer", asked)
    try:
        answering = decode_by(_answering, said)
    except msgspec.DecodeError:
        raise NotTheCode from None
    if any(key_fault(key) for key in answering.host_keys):
        raise NotTheCode
    return answering


def _sealed(said: str, mac: str) -> bytes:
    return msgspec.json.encode(_Message(said=said, mac=mac))


def _opened(data: bytes, longest: int, code: str, direction: bytes, *before: str) -> str:
    if len(data) > longest:
        raise NotTheCode
    try:
        message = decode_by(_message, data)
    except msgspec.DecodeError:
        raise NotTheCode from None
    if not hmac.compare_digest(message.mac, _mac(code, direction, *before, message.said)):
        raise NotTheCode
    return message.said


def _mac(code: str, direction: bytes, *said: str) -> str:
    key = hashlib.sha256(_CONTEXT + code.encode()).digest()
    digest = hmac.new(key, _CONTEXT + direction, hashlib.sha256)
    for one in said:
        # Each by its hash: of that length whatever it holds, so that no two lists look alike.
        digest.update(hashlib.sha256(one.encode()).digest())
    return digest.hexdigest()
