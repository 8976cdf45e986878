"""What to do about failures whose words are known. Unknown words stay as they are: nothing is guessed."""

from __future__ import annotations

# Parts of what zfs and zpool say (tests/transcripts, tests/contract), and what helps.
_KNOWN: dict[str, str] = {
    "Incorrect key provided for": (
        "This passphrase or key is not the right one. Nothing was changed: try again."
    ),
    "pool or dataset is busy": (
        "Still in use: by an open file, a program, a shell in its folder, a share, or a measurement that "
        "reads a snapshot of it. End that and try again."
    ),
    "Key unload error": "The encrypted data is still in use. Close what uses it, and try again.",
    "Disk quota exceeded": (
        "A quota is reached. Raise or remove it, or delete files and snapshots you no longer need."
    ),
    "No space left on device": (
        "The pool is full, or its free space is reserved for others. Delete what nobody needs, snapshots "
        "included, or make the pool larger."
    ),
    "out of space": (
        "There is not enough space: the pool is full, a quota is reached, or the free space is reserved."
    ),
    "size is less than current used or reserved space": (
        "More is stored there already. Choose at least that much, or delete files and snapshots first."
    ),
    "encryption key not loaded": "It is locked. Unlock it first.",
    "is currently used by process": (
        "Somebody is still connected under that name. Disconnect them under Shares, Connections, and try "
        "again."
    ),
    "Failed to find entry for user": "Samba does not know that person. Set a password first.",
    "in passdb backend": "Samba does not know that person. Set a password first.",
}


def advice(said: str) -> str | None:
    """Words for an owner about what a command said as it failed; None where they are not known."""
    return next((words for part, words in _KNOWN.items() if part in said), None)
