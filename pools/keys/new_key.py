"""The key of something new: which properties it takes, and what its owner has to know."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from host.commands.datasets.keys import LEAST_ITERATIONS, MOST_ITERATIONS
from host.inventory import Dataset
from jobs.planning.findings import Findings
from pools.keys.roots import is_locked, root_of

# zfsprops(7). GCM is what processors speed up; CCM stays for pools made elsewhere.
Cipher = Literal[
    "off", "on", "aes-128-gcm", "aes-192-gcm", "aes-256-gcm", "aes-128-ccm", "aes-192-ccm", "aes-256-ccm"
]
Iterations = Annotated[int, Meta(ge=LEAST_ITERATIONS, le=MOST_ITERATIONS)]
CIPHER = "aes-256-gcm"
NO_WAY_BACK = (
    "Keep it somewhere that outlasts this machine, and where the right people can find it. Without it "
    "nobody can ever open {name}: it is not stored anywhere."
)
LOCKED_AFTER_START = (
    "After each start of the machine {name} is locked until its {what} is entered: a key stored on the "
    "machine would be stolen together with the disks."
)


class NewKey(msgspec.Struct, frozen=True, kw_only=True):
    """Properties for `zfs create`, and the reference of what opens it, if it has a key of its own."""

    properties: dict[str, str] = {}
    secret: str | None = None


class KeyRequest(msgspec.Struct, frozen=True, kw_only=True):
    """What was asked for: a cipher (None: as above it), and a passphrase or key by reference."""

    encryption: Cipher | None
    passphrase: str | None
    key: str | None
    iterations: int | None


def new_key(name: str, wanted: KeyRequest, parent: Dataset | None, findings: Findings) -> NewKey:
    """The key of a new dataset below `parent` (None: a pool's root), with a finding for each fault."""
    given = wanted.passphrase if wanted.passphrase is not None else wanted.key
    if wanted.passphrase is not None and wanted.key is not None:
        findings.error("two-keys", "key", "Choose a passphrase or a key, not both.")
    if wanted.iterations is not None and wanted.passphrase is None:
        findings.error("no-passphrase", "pbkdf2iters", "Only a passphrase has PBKDF2 iterations.")
    above = parent is not None and root_of(parent) is not None
    if parent is not None and is_locked(parent):
        message = f"{parent.name} is locked. Unlock {root_of(parent)} first."
        findings.error("parent-locked", "name", message)
    if wanted.encryption == "off":
        return _without(name, given, parent, above, findings)
    if given is None:
        if wanted.encryption is not None and not above:
            message = "Choose a passphrase or a key: no parent has one that it could inherit."
            findings.error("required", "passphrase", message)
        return NewKey(properties={} if wanted.encryption is None else {"encryption": wanted.encryption})
    what = "passphrase" if wanted.passphrase is not None else "key"
    findings.info("no-way-back", what, NO_WAY_BACK.format(name=name))
    findings.info("locked-after-start", what, LOCKED_AFTER_START.format(name=name, what=what))
    properties = {
        "encryption": CIPHER if wanted.encryption in {None, "on"} else str(wanted.encryption),
        "keyformat": "passphrase" if what == "passphrase" else "hex",
        "keylocation": "prompt",
    }
    if wanted.iterations is not None:
        properties["pbkdf2iters"] = str(wanted.iterations)
    return NewKey(properties=properties, secret=given)


def _without(name: str, given: str | None, parent: Dataset | None, above: bool, findings: Findings) -> NewKey:
    if given is not None:
        message = "Encryption is off: leave the passphrase or key out, or choose a cipher."
        findings.error("not-encrypted", "encryption", message)
    if above and parent is not None:
        message = f"{parent.name} is encrypted, {name} would not be: anyone who has the disks can read it."
        findings.warning("unencrypted-below", "encryption", message)
    return NewKey(properties={"encryption": "off"})
