"""Whose certificate the console shows, and for which names."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding
from cryptography.x509.oid import ExtensionOID, NameOID

from host.commands.naming import MakeCertificate
from host.inventory import Certificate
from host.probe.certificate import parse_certificate
from host.probe.whole import probe
from host.simulated import SimulatedHost
from host.simulated.network.certificate import pem


def own(subject: str, issuer: str, *names: str, also: x509.ExtensionType | None = None) -> str:
    def called(name: str) -> x509.Name:
        return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])

    key = ec.generate_private_key(ec.SECP256R1())
    builder = (
        x509.CertificateBuilder()
        .subject_name(called(subject))
        .issuer_name(called(issuer))
        .public_key(key.public_key())
        .serial_number(7)
        .not_valid_before(datetime(2026, 1, 1, tzinfo=UTC))
        .not_valid_after(datetime(2027, 1, 1, tzinfo=UTC))
    )
    if names:
        alternatives = x509.SubjectAlternativeName([x509.DNSName(name) for name in names])
        builder = builder.add_extension(alternatives, critical=False)
    if also is not None:
        builder = builder.add_extension(also, critical=False)
    return builder.sign(key, hashes.SHA256()).public_bytes(Encoding.PEM).decode()


def test_one_that_the_machine_made_is_known_by_its_shape() -> None:
    names = ("attic", "attic.local", "localhost", "127.0.0.1")
    assert parse_certificate(pem("attic")) == Certificate(names=names, ours=True)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        (own("nas", "My authority", "nas", "nas.local", "localhost"), ("nas", "nas.local", "localhost")),
        (own("nas", "nas", "nas", "nas.local"), ("nas", "nas.local")),
        (own("nas.example.org", "nas.example.org"), ()),
    ],
)
def test_any_other_is_its_owners(text: str, names: tuple[str, ...]) -> None:
    assert parse_certificate(text) == Certificate(names=names, ours=False)


def test_of_a_chain_the_first_one_is_shown() -> None:
    found = parse_certificate(own("nas.example.org", "CA", "nas.example.org") + pem("attic"))
    assert found is not None and found.names == ("nas.example.org",)


@pytest.mark.parametrize(
    "text", ["", "nonsense\n", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"]
)
def test_what_is_no_certificate_reports_nothing(text: str) -> None:
    assert parse_certificate(text) is None


def test_one_that_is_odd_stops_no_probe() -> None:
    # A name of the kind X.400, which nobody has.
    odd = x509.UnrecognizedExtension(ExtensionOID.SUBJECT_ALTERNATIVE_NAME, bytes.fromhex("3004a3023000"))
    assert parse_certificate(own("nas", "nas", also=odd)) is None


def test_a_simulated_machine_makes_itself_another(simulated: SimulatedHost) -> None:
    assert probe(simulated).naming.certificate == parse_certificate(pem("nas"))
    simulated.run(MakeCertificate(name="attic"))
    assert probe(simulated).naming.certificate == parse_certificate(pem("attic"))
