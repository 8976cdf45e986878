"""Keys of encrypted datasets (zfs-load-key(8)). Keys always come from standard input, whatever `keylocation`
a foreign pool or a replica has: that may name any file or address.

A key in a file of this machine would be stolen along with its disks, and read at each start without asking.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from host.commands.base import Command, DatasetName, DatasetsCommand, Fed, SecretReference

KeyFormat = Literal["passphrase", "hex", "raw"]
# zfsprops(7): the least and what is taken unless chosen; more makes each guess, and each unlocking, slower.
LEAST_ITERATIONS, USUAL_ITERATIONS, MOST_ITERATIONS = 100_000, 350_000, 100_000_000
Iterations = Annotated[int, Meta(ge=LEAST_ITERATIONS, le=MOST_ITERATIONS)]
STORE = "/run/nasweb-secrets"


class ZfsLoadKey(DatasetsCommand, frozen=True, kw_only=True):
    """Load the key of an encryption root. It mounts nothing."""

    name: DatasetName
    secret: SecretReference
    key_format: KeyFormat = "passphrase"

    def argv(self) -> tuple[str, ...]:
        return ("zfs", "load-key", "-L", "prompt", self.name)

    def feeds(self) -> Fed:
        return fed(self.secret, self.key_format)


class ZfsTestKey(Command, frozen=True, kw_only=True):
    """Say whether a key is the right one for an encryption root, loaded or not, and change nothing."""

    reads = True
    name: DatasetName
    secret: SecretReference
    key_format: KeyFormat = "passphrase"

    def argv(self) -> tuple[str, ...]:
        return ("zfs", "load-key", "-n", "-L", "prompt", self.name)

    def feeds(self) -> Fed:
        return fed(self.secret, self.key_format)


class ZfsUnloadKey(DatasetsCommand, frozen=True, kw_only=True):
    """Forget the key of an encryption root. What it encrypts must be unmounted, its volumes not in use."""

    name: DatasetName

    def argv(self) -> tuple[str, ...]:
        return ("zfs", "unload-key", self.name)


class ZfsChangeKey(DatasetsCommand, frozen=True, kw_only=True):
    """Wrap the master key anew, by another passphrase or key, or without `secret` by the parent's key.

    What is stored is not encrypted anew: who has the old key and a copy of the disks of then can read them.
    """

    name: DatasetName
    secret: SecretReference | None = None
    key_format: Literal["passphrase", "hex"] = "passphrase"
    iterations: Iterations | None = None  # of a passphrase

    def argv(self) -> tuple[str, ...]:
        if self.secret is None:
            return ("zfs", "change-key", "-i", self.name)
        chosen = [f"keyformat={self.key_format}", "keylocation=prompt"]
        if self.iterations is not None:
            chosen.append(f"pbkdf2iters={self.iterations}")
        return ("zfs", "change-key", *(word for pair in chosen for word in ("-o", pair)), self.name)

    def feeds(self) -> Fed | None:
        return None if self.secret is None else fed(self.secret, self.key_format)


class ForgetSecrets(Command, frozen=True, kw_only=True):
    """Remove secrets that no command needs."""

    references: Annotated[tuple[SecretReference, ...], Meta(min_length=1, max_length=16)]

    def argv(self) -> tuple[str, ...]:
        return ("rm", "-f", "--", *(f"{STORE}/{one.partition(':')[2]}" for one in self.references))


def fed(reference: str, key_format: str) -> Fed:
    """A passphrase or hex digits as a line; a raw key as the 32 bytes that its hex digits say."""
    what = "the passphrase" if key_format == "passphrase" else "the key"
    return Fed(reference=reference, what=what, as_bytes=key_format == "raw")


Commands = ZfsLoadKey | ZfsTestKey | ZfsUnloadKey | ZfsChangeKey | ForgetSecrets
