"""Encryption roots: the datasets that have a key of their own, which opens all that inherits it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import cast

from host.commands.datasets.keys import KeyFormat
from host.inventory import Dataset, Inventory
from jobs.planning.findings import Findings


def root_of(dataset: Dataset) -> str | None:
    """The name of its encryption root; None for what is not encrypted."""
    found = dataset.value("encryptionroot")
    return None if found in {None, "", "-", "none"} else found


def is_locked(dataset: Dataset) -> bool:
    """True while its key is not loaded, so that nothing in it can be read."""
    return dataset.value("keystatus") == "unavailable"


def is_root(dataset: Dataset) -> bool:
    """True where it has a key of its own."""
    return root_of(dataset) == dataset.name


def format_of(dataset: Dataset) -> KeyFormat:
    """What its root's key is: a passphrase, or a key in hex digits or raw bytes."""
    found = dataset.value("keyformat")
    return cast("KeyFormat", found) if found in {"hex", "raw"} else "passphrase"


def opened_by(root: str, inventory: Inventory) -> tuple[Dataset, ...]:
    """All that the key of `root` opens, itself first: parents before children."""
    return tuple(dataset for dataset in inventory.datasets if root_of(dataset) == root)


def locked_roots(inventory: Inventory) -> tuple[Dataset, ...]:
    """The encryption roots whose keys are not loaded."""
    return tuple(one for one in inventory.datasets if is_root(one) and is_locked(one))


def find_root(name: str, field: str, inventory: Inventory, findings: Findings) -> Dataset | None:
    """The encryption root called `name`, or None with a finding at `field`."""
    dataset = inventory.dataset(name)
    if dataset is None:
        findings.error("unknown-dataset", field, f"There is no dataset {name}.")
        return None
    root = root_of(dataset)
    if root is None:
        findings.error("not-encrypted", field, f"{name} is not encrypted.")
        return None
    if root != name:
        message = f"{name} has no key of its own: it opens with the key of {root}. Name {root} instead."
        findings.error("not-a-root", field, message)
        return None
    return dataset


def mountable(dataset: Dataset) -> bool:
    """True for a file system that is mounted by itself once it can be."""
    place = dataset.value("mountpoint") or ""
    return dataset.kind == "filesystem" and dataset.value("canmount") == "on" and place.startswith("/")


def check_given(
    roots: Iterable[Dataset], passphrase: str | None, key: str | None, findings: Findings
) -> str | None:
    """The reference of the one secret that was given, if it is of the kind that all `roots` have."""
    if passphrase is not None and key is not None:
        findings.error("two-keys", "key", "Give the passphrase or the key, not both.")
        return None
    wanted = {"passphrase" if format_of(root) == "passphrase" else "key" for root in roots}
    if len(wanted) > 1:
        message = "Some of these open with a passphrase and some with a key. Unlock them separately."
        findings.error("different-keys", "passphrase", message)
    for field in wanted:
        given = passphrase if field == "passphrase" else key
        if given is None:
            what = "its passphrase" if field == "passphrase" else "its key, as 64 hex digits"
            findings.error("required", field, f"Give {what}.")
    return passphrase if passphrase is not None else key
