"""dataset.load-key: unlock encrypted datasets and mount what they hold."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from host.commands.datasets.keys import ZfsLoadKey, ZfsTestKey
from host.commands.datasets.zfs import ZfsMount
from host.inventory import Dataset, Inventory
from jobs.plan import Plan, Step
from jobs.planning.findings import Findings
from jobs.planning.words import sentences
from jobs.wording import counted, listed
from pools.keys.roots import (
    check_given,
    find_root,
    format_of,
    is_locked,
    is_root,
    mountable,
    opened_by,
    root_of,
)
from pools.keys.typed import Key, Passphrase
from pools.mounting import check_place
from pools.sentences import are, shares_of

_Name = Annotated[str, Meta(max_length=1024)]


class LoadKey(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Unlock encryption roots that open with the same passphrase or key, and mount what they hold.

    `recursive` unlocks those below them too. A raw key is given by its hex digits.
    """

    names: Annotated[tuple[_Name, ...], Meta(min_length=1, max_length=100)]
    passphrase: Passphrase | None = None
    key: Key | None = None
    recursive: bool = False
    mount: bool = True


def plan(request: LoadKey, inventory: Inventory) -> Plan:
    """Raises `Refused` for what has no key of its own, is open already, or opens with something else."""
    findings = Findings()
    roots = _wanted(request, inventory, findings)
    secret = check_given(roots, request.passphrase, request.key, findings)
    _check_above(roots, inventory, findings)
    findings.refuse_on_error()
    steps = [
        Step(title=f"Unlock {root.name}", commands=(_load(root, str(secret)),))
        for root in roots
    ]  # fmt: skip
    if len(roots) > 1:
        # Before any is unlocked: a passphrase that opens only some leaves no half of it.
        steps.insert(
            0, Step(title="Test the key on each", commands=tuple(_test(r, str(secret)) for r in roots))
        )
    mounts = _mounts(request, roots, inventory)
    for one in mounts:
        check_place(one.name, one.value("mountpoint"), "mount", findings)
    findings.refuse_on_error()
    if mounts:
        steps.append(
            Step(title=f"Mount {_said(mounts)}", commands=tuple(ZfsMount(name=one.name) for one in mounts))
        )
    return Plan(
        operation="dataset.load-key",
        steps=tuple(steps),
        summary=_summary(request, roots, mounts, inventory),
        findings=findings.all(),
        claims=tuple(f"dataset:{root.name}" for root in roots),
    )


def _summary(
    request: LoadKey, roots: tuple[Dataset, ...], mounts: list[Dataset], inventory: Inventory
) -> str:
    what = "passphrase" if request.passphrase is not None else "key"
    first = f"{listed([one.name for one in roots])} {are(len(roots))} unlocked"
    if mounts == [*roots]:
        first += f" and mounted at {listed([one.value('mountpoint') or '' for one in mounts])}"
    elif mounts:
        first += f", and {counted(len(mounts), 'file system')} {are(len(mounts))} mounted"
    elif not request.mount:
        first += " but not mounted, so the files cannot be reached yet"
    stays = "It stays" if len(roots) == 1 else "They stay"
    shares = shares_of(mounts, inventory)
    return sentences(
        f"{first}.",
        f"{stays} unlocked until the next restart"
        + (f", and clients can use {shares} again." if shares else "."),
        f"If the {what} is wrong, nothing changes."
        if len(roots) == 1
        else f"If the {what} does not open all of them, none is unlocked.",
    )


def _wanted(request: LoadKey, inventory: Inventory, findings: Findings) -> tuple[Dataset, ...]:
    chosen: dict[str, Dataset] = {}
    for index, name in enumerate(request.names):
        field = "names" if len(request.names) == 1 else f"names[{index}]"
        below = [one for one in inventory.below(name) if is_root(one) and is_locked(one)]
        if request.recursive:
            chosen |= {one.name: one for one in below}
            named = inventory.dataset(name)
            if named is not None and not (is_root(named) and is_locked(named)):
                if not below:
                    findings.error("not-locked", field, f"Nothing at or below {name} is locked.")
                continue
        root = find_root(name, field, inventory, findings)
        if root is not None and not is_locked(root):
            findings.error("not-locked", field, f"{name} is unlocked already.")
        elif root is not None:
            chosen[name] = root
    return tuple(one for one in inventory.datasets if one.name in chosen)


def _check_above(roots: tuple[Dataset, ...], inventory: Inventory, findings: Findings) -> None:
    opened = {root.name for root in roots}
    for root in roots:
        above = inventory.dataset(root.parent) if root.parent else None
        if above is not None and is_locked(above) and root_of(above) not in opened:
            message = (
                f"{above.name} above {root.name} stays locked. Unlock {root_of(above)} first, or the folder "
                f"of {root.name} would be in its way afterwards."
            )
            findings.warning("locked-above", "names", message)


def _load(root: Dataset, secret: str) -> ZfsLoadKey:
    return ZfsLoadKey(name=root.name, secret=secret, key_format=format_of(root))


def _test(root: Dataset, secret: str) -> ZfsTestKey:
    return ZfsTestKey(name=root.name, secret=secret, key_format=format_of(root))


def _mounts(request: LoadKey, roots: tuple[Dataset, ...], inventory: Inventory) -> list[Dataset]:
    if not request.mount:
        return []
    names = {one.name for root in roots for one in opened_by(root.name, inventory)}
    found = [one for one in inventory.datasets if one.name in names and mountable(one) and not one.mounted]
    return sorted(found, key=lambda one: (one.value("mountpoint") or "").split("/"))


def _said(mounts: list[Dataset]) -> str:
    return mounts[0].name if len(mounts) == 1 else f"{len(mounts)} file systems"
