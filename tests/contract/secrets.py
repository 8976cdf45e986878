"""Secrets of the contract. On a simulated machine they are put beside its file; on a real one whoever starts
the suite puts them there first: `python -m tests.contract.secrets` prints the shell lines that do so."""

from __future__ import annotations

import os
import time
from hashlib import sha256
from pathlib import Path

from host.secrets import FOLDER

PHRASE, OTHER_PHRASE, WRONG_PHRASE = (
    "correct horse battery",
    "another horse entirely",
    "wrong horse altogether",
)
SHORT_PHRASE = "short"
HEX_KEY, WRONG_HEX_KEY = "0123456789abcdef" * 4, "fedcba9876543210" * 4
BAD_HEX_KEY, SHORT_HEX_KEY = "z" * 64, "ab" * 16
DISPOSABLE = "to be forgotten"
PASSWORD, OTHER_PASSWORD = "pass word of anna", "Ümläute & spaces 2"
ALL = (
    PHRASE, OTHER_PHRASE, WRONG_PHRASE, SHORT_PHRASE, HEX_KEY, WRONG_HEX_KEY, BAD_HEX_KEY, SHORT_HEX_KEY,
    DISPOSABLE, PASSWORD, OTHER_PASSWORD,
)  # fmt: skip
_AHEAD_S = 86_400  # they do not expire while the suite runs, however long


def reference(secret: str) -> str:
    """The reference that a secret of the contract has everywhere."""
    return f"secret:{_name(secret)}"


def keep_all(folder: Path) -> None:
    """Put them into a store's folder."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    later = time.time() + _AHEAD_S
    for secret in ALL:
        path = folder / _name(secret)
        path.write_text(secret)
        os.utime(path, (later, later))


def shell_lines() -> str:
    """What puts them onto a real machine, run there by root."""
    lines = [f"install -d -m 0700 {FOLDER}"]
    for secret in ALL:
        path = f"{FOLDER}/{_name(secret)}"
        lines.append(f"printf %s '{secret}' > {path} && touch -d tomorrow {path}")
    return "\n".join(lines)


def _name(secret: str) -> str:
    return sha256(f"contract {secret}".encode()).hexdigest()[:32]


if __name__ == "__main__":
    print(shell_lines())
