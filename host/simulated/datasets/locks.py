"""Which key encrypts a simulated dataset, and whether it is loaded."""

from __future__ import annotations

import hashlib
import secrets

from host.simulated.state import Dataset, Key, Pool

_ITERATIONS = 1000  # of the simulator's own hash: it keeps no secret of anybody, but no plain text either


def encryption(dataset: Dataset) -> str:
    """The cipher; off where it has none."""
    return dataset.fixed.get("encryption", "off")


def root_of(pool: Pool, dataset: Dataset) -> Dataset | None:
    """The encryption root, whose key it is; None for what is not encrypted."""
    found: Dataset | None = dataset if encryption(dataset) != "off" else None
    while found is not None and found.key is None:
        above = found.origin.partition("@")[0] if found.origin else found.name.rpartition("/")[0]
        found = pool.datasets.get(above)
    return found


def is_locked(pool: Pool, dataset: Dataset) -> bool:
    """True while nothing in it can be read."""
    root = root_of(pool, dataset)
    return root is not None and root.key is not None and not root.key.loaded


def below_key(pool: Pool, root: Dataset) -> list[Dataset]:
    """All that the root's key encrypts, itself among them."""
    return [one for one in pool.datasets.values() if root_of(pool, one) is root]


def make_key(key_format: str, given: bytes, iterations: int) -> Key:
    """A loaded key that knows `given` again."""
    salt = secrets.token_hex(8)
    return Key(
        format=key_format, salt=salt, hash=_hash(given, salt), iterations=iterations, loaded=True
    )  # fmt: skip


def fits(key: Key, given: bytes) -> bool:
    """Whether it is the right one."""
    return _hash(given, key.salt) == key.hash


def lock_all(pool: Pool) -> None:
    """As when the pool goes, or the machine starts."""
    for dataset in pool.datasets.values():
        if dataset.key is not None:
            dataset.key.loaded = False


def _hash(given: bytes, salt: str) -> str:
    return hashlib.pbkdf2_hmac("sha256", given, salt.encode(), _ITERATIONS).hex()
