"""Certificates of those who sign the certificate of a server, where it is not one that the system trusts."""

from __future__ import annotations

import re

MOST = 1 << 15  # letters
_CERTIFICATE = (
    r"-----BEGIN CERTIFICATE-----\n(?:[A-Za-z0-9+/]{4,76}\n){1,120}"
    r"(?:[A-Za-z0-9+/]{1,75}={1,2}\n)?-----END CERTIFICATE-----\n"
)
_AUTHORITY = re.compile(rf"(?:{_CERTIFICATE}){{1,4}}")


def authority_fault(text: str) -> str | None:
    """Why `text` is no list of certificates; None where it is one."""
    if not _AUTHORITY.fullmatch(text):
        return "Paste one to four certificates as PEM text, from BEGIN CERTIFICATE to END CERTIFICATE."
    return None
