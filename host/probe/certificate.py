"""What the console's certificate says: for which names it is, and whether this machine made it for itself."""

from __future__ import annotations

from functools import lru_cache

from cryptography import x509

from host.inventory import Certificate

_ODD = (x509.DuplicateExtension, x509.InvalidVersion, x509.UnsupportedGeneralNameType)


@lru_cache(maxsize=4)
def parse_certificate(text: str) -> Certificate | None:
    """From PEM; None for what is none. Of a chain the first one counts, as with nginx."""
    try:
        found = x509.load_pem_x509_certificates(text.encode())[0]
        names, addresses = _names(found)
        subject = [one.value for one in found.subject]
        itself = found.issuer == found.subject
    except (ValueError, IndexError, *_ODD):
        return None  # an owner's may be odd in any way: the probe goes on
    called = str(subject[0]) if len(subject) == 1 else ""
    # The very shape that nasweb-keys gives it (ansible/roles/services/files/libexec).
    made = (called, f"{called}.local", "localhost")
    ours = itself and bool(called) and names == made and addresses == ("127.0.0.1",)
    return Certificate(names=(*names, *addresses), ours=ours)


def _names(found: x509.Certificate) -> tuple[tuple[str, ...], tuple[str, ...]]:
    try:
        names = found.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except x509.ExtensionNotFound:
        return (), ()
    return (
        tuple(names.get_values_for_type(x509.DNSName)),
        tuple(str(one) for one in names.get_values_for_type(x509.IPAddress)),
    )
