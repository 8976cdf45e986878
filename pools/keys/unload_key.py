"""dataset.unload-key: lock encrypted datasets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import msgspec
from msgspec import Meta

from host.commands.datasets.keys import ZfsUnloadKey
from host.commands.datasets.zfs import ZfsUnmount
from host.inventory import Dataset, Inventory
from jobs.plan import Plan, Step
from jobs.planning.findings import Findings
from jobs.planning.words import sentences
from jobs.wording import counted, listed
from pools.keys.roots import find_root, format_of, is_locked, is_root, opened_by
from pools.sentences import are, called, shares_of, tree

_MOST_NAMED = 50


class UnloadKey(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Lock an encryption root and all that opens with it; `recursive` locks those below with own keys too."""

    name: Annotated[str, Meta(max_length=1024)]
    recursive: bool = False


def plan(request: UnloadKey, inventory: Inventory) -> Plan:
    """Raises `Refused` for what has no key of its own or is locked. Warnings name what is unmounted."""
    findings = Findings()
    root = find_root(request.name, "name", inventory, findings)
    if root is not None and is_locked(root):
        findings.error("locked-already", "name", f"{root.name} is locked already.")
    findings.refuse_on_error()
    assert root is not None  # noqa: S101
    below = [one for one in inventory.below(root.name) if is_root(one) and not is_locked(one)]
    roots = (root, *below) if request.recursive else (root,)
    locked = [one for each in roots for one in opened_by(each.name, inventory)]
    unmounted = _unmounted(locked, inventory)
    _add_findings(root, below, locked, unmounted, request, findings)
    steps = [
        Step(title=f"Lock {one.name}", commands=(ZfsUnloadKey(name=one.name),)) for one in reversed(roots)
    ]
    if unmounted:
        # The deepest first: unmounting takes along what is mounted below.
        commands = tuple(ZfsUnmount(name=one.name) for one in reversed(unmounted))
        title = f"Unmount {unmounted[0].name if len(unmounted) == 1 else f'{len(unmounted)} file systems'}"
        steps.insert(0, Step(title=title, commands=commands))
    return Plan(
        operation="dataset.unload-key",
        steps=tuple(steps),
        summary=_summary(locked, unmounted, () if request.recursive else below, inventory),
        findings=findings.all(),
        claims=tuple(f"dataset:{one.name}" for one in roots),
    )


def _summary(
    locked: list[Dataset], unmounted: list[Dataset], still_open: Sequence[Dataset], inventory: Inventory
) -> str:
    root, more = locked[0], len(locked) - 1
    what = "passphrase" if format_of(root) == "passphrase" else "key"
    first = (
        f"{tree(root.name, more)} {'are' if more else 'is'} locked, and nobody can read "
        f"{'them' if more else 'it'} until the {what} is entered again."
    )
    second = ""
    if unmounted:
        second = f"{counted(len(unmounted), 'file system')} {are(len(unmounted))} unmounted"
        if unmounted == [root]:
            second = f"It is unmounted from {root.value('mountpoint')}"
        if shares := shares_of(unmounted, inventory):
            second += f", and connected clients lose {shares} until then"
        second += "."
    volumes = [one.name for one in locked if one.kind == "volume"]
    third = f"Whatever uses {called('volume', volumes)} fails until then." if volumes else ""
    if still_open:
        has = "has a key of its own and stays" if len(still_open) == 1 else "have keys of their own and stay"
        third = third or f"{listed([one.name for one in still_open])} {has} unlocked."
    return sentences(first, second, third)


def _unmounted(locked: list[Dataset], inventory: Inventory) -> list[Dataset]:
    """What is mounted of `locked`, and what is mounted inside of that: outer folders first."""
    names = {one.name for one in locked}
    folders = [f"{place}/" for one in locked if one.mounted and (place := one.value("mountpoint"))]
    found = [
        one
        for one in inventory.datasets
        if one.mounted and (one.name in names or (one.value("mountpoint") or "").startswith(tuple(folders)))
    ]
    return sorted(found, key=lambda one: (one.value("mountpoint") or "").split("/"))


def _add_findings(
    root: Dataset,
    below: list[Dataset],
    locked: list[Dataset],
    unmounted: list[Dataset],
    request: UnloadKey,
    findings: Findings,
) -> None:
    names = {one.name for one in locked}
    for one in unmounted[:_MOST_NAMED]:
        message = f"{one.name} is unmounted: {one.value('mountpoint')} is empty until it is unlocked."
        if one.name not in names:
            message = f"{one.name} is inside it and is unmounted too, although its key stays loaded."
        findings.warning("unmounts", "name", message)
    if len(unmounted) > _MOST_NAMED:
        message = f"{len(unmounted) - _MOST_NAMED} more file systems are unmounted."
        findings.warning("unmounts-more", "name", message)
    for one in (each for each in locked if each.kind == "volume"):
        findings.warning("volume-gone", "name", f"The volume {one.name} cannot be used until it is unlocked.")
    for one in () if request.recursive else below:
        findings.info("stays-open", "recursive", f"{one.name} has its own key, which stays loaded.")
    findings.info("needs-key", "name", f"To unlock {root.name} again, its passphrase or key is needed.")
