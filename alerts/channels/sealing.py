"""Secrets that anybody can seal and only the worker can open.

The web process knows the worker's public key, seals what was typed and forgets it. Each secret is sealed
together with where it may go: who changes the server of a channel in its row, or moves a secret to another
channel, has something that cannot be opened. X25519 with a key pair made for each secret, HKDF-SHA256
(RFC 5869), ChaCha20-Poly1305 (RFC 8439).
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Mapping

import msgspec
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.views.decorators.debug import sensitive_variables

from alerts.channels.kinds import Kind

_VERSION = "1:"
_KEY_BYTES = 32
_NONCE = bytes(12)  # each key is used once


class CannotOpen(ValueError):
    """Sealed for another key or another place, or damaged."""


def new_key() -> str:
    """A private key as text."""
    return _text(X25519PrivateKey.generate().private_bytes_raw())


def public_of(private: str) -> str:
    """The public key that belongs to `private`."""
    return _text(_private(private).public_key().public_bytes_raw())


def place(kind: Kind, values: Mapping[str, str], name: str) -> bytes:
    """Where the secret called `name` may go."""
    where = [(field.name, values.get(field.name) or field.default) for field in kind.fields if field.where]
    return msgspec.json.encode([kind.name, name, where])


@sensitive_variables("secret")
def seal(secret: str, public: str, where: bytes) -> str:
    """`secret` for the holder of the key alone."""
    own = X25519PrivateKey.generate()
    mine = own.public_key().public_bytes_raw()
    shared = own.exchange(X25519PublicKey.from_public_bytes(_bytes(public)))
    sealed = _cipher(shared, mine, _bytes(public)).encrypt(_NONCE, secret.encode(), where)
    return _VERSION + _text(mine + sealed)


@sensitive_variables("opened")
def unseal(sealed: str, private: str, where: bytes) -> str:
    """The secret. Raises `CannotOpen`."""
    try:
        if not sealed.startswith(_VERSION):
            raise CannotOpen
        whole = _bytes(sealed.removeprefix(_VERSION))
        theirs, rest = whole[:_KEY_BYTES], whole[_KEY_BYTES:]
        shared = _private(private).exchange(X25519PublicKey.from_public_bytes(theirs))
        opened = _cipher(shared, theirs, _bytes(public_of(private))).decrypt(_NONCE, rest, where)
        return opened.decode()
    except (InvalidTag, ValueError, binascii.Error):
        raise CannotOpen from None


def _cipher(shared: bytes, theirs: bytes, public: bytes) -> ChaCha20Poly1305:
    info = b"nasweb channel 1" + theirs + public
    return ChaCha20Poly1305(HKDF(algorithm=SHA256(), length=_KEY_BYTES, salt=None, info=info).derive(shared))


def _private(text: str) -> X25519PrivateKey:
    return X25519PrivateKey.from_private_bytes(_bytes(text))


def _text(value: bytes) -> str:
    return base64.b64encode(value).decode()


def _bytes(text: str) -> bytes:
    return base64.b64decode(text, validate=True)
