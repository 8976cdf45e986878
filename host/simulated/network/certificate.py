"""The certificate of a simulated machine's console, as nasweb-keys makes it."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import lru_cache
from ipaddress import ip_address

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding
from cryptography.x509.oid import NameOID


@lru_cache(maxsize=8)
def pem(name: str) -> str:
    """One for that name. Its key is kept by nobody: nothing is served with it."""
    key = ec.generate_private_key(ec.SECP256R1())
    called = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    names = [x509.DNSName(one) for one in (name, f"{name}.local", "localhost")]
    made = (
        x509.CertificateBuilder()
        .subject_name(called)
        .issuer_name(called)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(datetime(2026, 1, 1, tzinfo=UTC))
        .not_valid_after(datetime(2036, 1, 1, tzinfo=UTC))
        .add_extension(
            x509.SubjectAlternativeName([*names, x509.IPAddress(ip_address("127.0.0.1"))]), critical=False
        )
        .sign(key, hashes.SHA256())
    )
    return made.public_bytes(Encoding.PEM).decode()
