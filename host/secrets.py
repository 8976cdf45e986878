"""Where secrets wait for the command that needs them: files in memory, each under a random reference.

The web process puts one in; the root helper reads it and feeds it to the command's standard input. Whatever
lies between them (request, plan, job, queue, log) holds the reference alone. A start of the machine clears
all.
"""

from __future__ import annotations

import os
import re
import secrets
import stat
import time
from contextlib import suppress
from pathlib import Path

from host.base import HostError
from host.commands.base import SECRET_PATTERN, Fed

FOLDER = Path("/run/nasweb-secrets")  # on the installed machine: the console's RuntimeDirectory
KEPT_S = 900.0
_PREFIX = "secret:"
_REFERENCE = re.compile(SECRET_PATTERN)
_SWEPT_EVERY_S = 60.0
_LONGEST_BYTES = 8192


class SecretGone(HostError):
    """The secret that a command needs is not there, or no longer."""

    def __init__(self) -> None:
        super().__init__(
            f"What was typed is no longer there: a passphrase or key is kept for {KEPT_S / 60:.0f} minutes, "
            "in memory only, until its job has ended. Enter it again."
        )


class SecretStore:
    """One folder that belongs to whoever puts secrets in, and is closed to everybody but root."""

    def __init__(self, folder: Path = FOLDER) -> None:
        self._folder = folder
        self._swept = 0.0

    def put(self, secret: str) -> str:
        """Keep `secret` for `KEPT_S`; the answer is its reference."""
        self.sweep()
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        name = secrets.token_hex(16)
        descriptor = os.open(self._folder / name, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(secret.encode())
        return _PREFIX + name

    def has(self, reference: str) -> bool:
        """Whether it is still there."""
        with suppress(OSError):
            return _fresh(self._path(reference).lstat())
        return False

    def read(self, reference: str) -> str:
        """The secret. Raises `SecretGone`."""
        try:
            # Root reads what another account put there: no link may lead it elsewhere.
            descriptor = os.open(self._path(reference), os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        except OSError:
            raise SecretGone from None
        with os.fdopen(descriptor, "rb") as file:
            found = os.fstat(descriptor)
            if not stat.S_ISREG(found.st_mode) or not _fresh(found):
                raise SecretGone
            return file.read(_LONGEST_BYTES).decode("utf-8", "replace")

    def drop(self, reference: str) -> None:
        """Remove a secret that is no longer needed; a missing one is no error."""
        with suppress(OSError):
            self._path(reference).unlink()

    def sweep(self) -> None:
        """Remove what nobody used in time; checks at most once a minute."""
        now = time.monotonic()
        if self._swept and now - self._swept < _SWEPT_EVERY_S:
            return
        self._swept = now
        with suppress(OSError), os.scandir(self._folder) as entries:
            for entry in entries:
                with suppress(OSError):
                    if not _fresh(entry.stat(follow_symlinks=False)):
                        Path(entry.path).unlink()

    def _path(self, reference: str) -> Path:
        """Raises `FileNotFoundError` for what is no reference, and so no name of a file here."""
        if not _REFERENCE.fullmatch(reference):
            raise FileNotFoundError(reference)
        return self._folder / reference.removeprefix(_PREFIX)

    def fed(self, needed: Fed) -> bytes:
        """What goes to the command's standard input. Raises `SecretGone`."""
        secret = self.read(needed.reference)
        if needed.as_bytes:
            return bytes.fromhex(secret)
        return f"{secret}\n".encode() * needed.times


def _fresh(found: os.stat_result) -> bool:
    return time.time() - found.st_mtime < KEPT_S
