"""dataset.change-key: another passphrase or key, or the one of the dataset above."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from host.commands.datasets.keys import ZfsChangeKey
from host.inventory import Dataset, Inventory
from jobs.plan import Plan, Step
from jobs.planning.findings import Findings
from jobs.planning.words import sentences
from pools.keys.new_key import LOCKED_AFTER_START, NO_WAY_BACK, Iterations
from pools.keys.roots import format_of, is_locked, is_root, opened_by, root_of
from pools.keys.typed import Key, Passphrase
from pools.sentences import tree


class ChangeKey(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Give a dataset another passphrase or key, or let it `inherit` the key of the dataset above it.

    A dataset that opens with one above it gets a key of its own by this.
    """

    name: Annotated[str, Meta(max_length=1024)]
    passphrase: Passphrase | None = None
    key: Key | None = None
    inherit: bool = False
    pbkdf2iters: Iterations | None = None


def plan(request: ChangeKey, inventory: Inventory) -> Plan:
    """Raises `Refused` for what is not encrypted, is locked, or has nothing to inherit."""
    findings = Findings()
    dataset = inventory.dataset(request.name)
    if dataset is None:
        findings.refuse("unknown-dataset", "name", "There is no dataset of that name.")
    if root_of(dataset) is None:
        message = f"{dataset.name} is not encrypted, and existing data cannot be encrypted in place. "
        findings.refuse(
            "not-encrypted", "name", f"{message}Create an encrypted dataset and move the files there."
        )
    if is_locked(dataset):
        findings.error("locked", "name", f"{dataset.name} is locked. Unlock {root_of(dataset)} first.")
    if request.inherit:
        _check_inherit(request, dataset, inventory, findings)
    else:
        _check_new(request, dataset, findings)
    findings.refuse_on_error()
    _add_findings(request, dataset, inventory, findings)
    secret = request.passphrase if request.passphrase is not None else request.key
    command = ZfsChangeKey(
        name=dataset.name,
        secret=None if request.inherit else secret,
        key_format="passphrase" if request.passphrase is not None else "hex",
        iterations=request.pbkdf2iters,
    )
    title = (
        f"Let {dataset.name} open with {dataset.parent}"
        if request.inherit
        else f"Change the key of {dataset.name}"
    )
    return Plan(
        operation="dataset.change-key",
        steps=(Step(title=title, commands=(command,)),),
        summary=_summary(request, dataset, inventory),
        findings=findings.all(),
        claims=(f"dataset:{dataset.name}",),
    )


def _summary(request: ChangeKey, dataset: Dataset, inventory: Inventory) -> str:
    along = _opened_along(dataset, inventory)
    what = "passphrase" if request.passphrase is not None else "key"
    own = "passphrase" if format_of(dataset) == "passphrase" else "key"
    opens = f"{tree(dataset.name, len(along))} {'open' if along else 'opens'}"
    if request.inherit:
        parent = inventory.dataset(str(dataset.parent))
        root = root_of(parent) if parent else None
        return sentences(
            f"{opens} with the key of {root} from now on, and no longer with the {own} of {dataset.name}.",
            "Nobody is disconnected.",
        )
    if is_root(dataset):
        first = f"{opens} with the new {what} from now on, and the old {own} no longer works."
    else:
        its = "their" if along else "its"
        first = (
            f"{opens} with a {what} of {its} own from now on, no longer with the key of {root_of(dataset)}."
        )
    return sentences(
        first,
        f"After each restart it has to be entered, and without it nobody can ever read {dataset.name} again.",
        "Nobody is disconnected; raw backups and copied disks from before still open with the old one.",
    )


def _opened_along(dataset: Dataset, inventory: Inventory) -> list[Dataset]:
    """What is below it and opens with it, now and then."""
    root = str(root_of(dataset))
    return [one for one in opened_by(root, inventory) if one.name.startswith(f"{dataset.name}/")]


def _check_new(request: ChangeKey, dataset: Dataset, findings: Findings) -> None:
    if request.passphrase is None and request.key is None:
        findings.error("required", "passphrase", "Give the new passphrase or key, or inherit the one above.")
    if request.passphrase is not None and request.key is not None:
        findings.error("two-keys", "key", "Choose a passphrase or a key, not both.")
    if request.pbkdf2iters is not None and request.passphrase is None:
        message = "Only a passphrase has PBKDF2 iterations: leave this out."
        findings.error("no-passphrase", "pbkdf2iters", message)


def _check_inherit(request: ChangeKey, dataset: Dataset, inventory: Inventory, findings: Findings) -> None:
    for field in ("passphrase", "key", "pbkdf2iters"):
        if getattr(request, field) is not None:
            findings.error("inherits", field, "It inherits the key of its parent: leave this out.")
    if not is_root(dataset):
        message = f"{dataset.name} already opens with the key of {root_of(dataset)}."
        findings.error("not-a-root", "inherit", message)
    parent = inventory.dataset(dataset.parent) if dataset.parent else None
    if parent is None or root_of(parent) is None:
        findings.error(
            "nothing-above", "inherit", "No parent of it is encrypted, so there is no key to inherit."
        )
    elif is_locked(parent):
        findings.error(
            "parent-locked", "inherit", f"{parent.name} is locked. Unlock {root_of(parent)} first."
        )


def _add_findings(request: ChangeKey, dataset: Dataset, inventory: Inventory, findings: Findings) -> None:
    along = _opened_along(dataset, inventory)
    if along:
        findings.info(
            "along",
            "name",
            f"{len(along)} below it are changed with it: {', '.join(o.name for o in along[:10])}.",
        )
    if request.inherit:
        parent = inventory.dataset(str(dataset.parent))
        root = root_of(parent) if parent else None
        message = f"It will open with the key of {root}, and no longer with its own."
        findings.info("shares", "inherit", message)
        return
    if not is_root(dataset):
        message = f"It opens with the key of {root_of(dataset)} now. Afterwards it has a key of its own."
        findings.info("own-key", "name", message)
    what = "passphrase" if request.passphrase is not None else "key"
    message = (
        "Existing data is not re-encrypted. Anyone who knows the old key and has a copy of the disks, or "
        "a raw backup made before, can still open those."
    )
    findings.warning("old-key-opens-copies", what, message)
    findings.info("no-way-back", what, NO_WAY_BACK.format(name=dataset.name))
    findings.info("locked-after-start", what, LOCKED_AFTER_START.format(name=dataset.name, what=what))
