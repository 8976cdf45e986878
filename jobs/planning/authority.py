"""A certificate authority as it is pasted."""

from __future__ import annotations

from cryptography.x509 import load_pem_x509_certificates

from host.connections.authority import authority_fault
from jobs.planning.findings import Findings


def pasted(text: str, field: str, findings: Findings, *, tls: bool) -> str:
    """The PEM text without what came along with it; empty where there is none. Adds findings on `field`."""
    lines = (line.strip() for line in text.splitlines())
    clean = "".join(f"{line}\n" for line in lines if line)
    if not clean:
        return ""
    if not tls:
        findings.error("no-tls", field, "Only TLS has certificates. Choose TLS, or leave this out.")
        return ""
    fault = authority_fault(clean)
    if fault is None:
        try:
            load_pem_x509_certificates(clean.encode())
        except ValueError:
            fault = "This is no certificate. Paste the whole PEM text of the authority."
    if fault is not None:
        findings.error("bad-authority", field, fault)
    return clean
