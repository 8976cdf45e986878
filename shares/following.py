"""Shares follow their datasets: whatever unmounts, moves, renames or destroys one carries its shares along.

The plan of such an operation is read for what it does to file systems. Their shares are withdrawn before, so
that no client keeps them busy and none is ever served from the empty folder beneath; and afterwards the files
say what is true then. What is mounted later, by a start, an unlocking or an import, is found periodically.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from host.commands.closed import AnyCommand
from host.commands.shares.sharing import CloseShare, ReleaseNfs
from host.families import Family
from host.inventory import Inventory, Served, SmbShare
from jobs.operation import Operation
from jobs.plan import Finding, Plan, Step
from jobs.planning.findings import Findings
from shares import changing, stored
from shares.applying import apply, drifted, texts
from shares.effects import ShareEffects, effects_of
from shares.nfs.render import exported
from shares.serving import standing

# What it takes to say what is served: datasets, what the machine serves of them now, people, its name.
READS = frozenset({Family.POOLS, Family.SHARES, Family.PEOPLE, Family.NAMES})


def follows[R](operation: Operation[R]) -> Operation[R]:
    """The operation with its shares."""

    def plan(request: R, inventory: Inventory) -> Plan:
        replaced = operation.replaces(request, inventory)
        return with_shares(operation.plan(request, inventory), inventory, replaced)

    def remember(request: R, inventory: Inventory, actor: str) -> None:
        operation.remember(request, inventory, actor)
        replaced = operation.replaces(request, inventory)
        effects = effects_of(operation.plan(request, inventory), inventory, replaced)
        if effects.after.sharing != inventory.sharing:
            stored.keep(effects.after.sharing)

    return msgspec.structs.replace(operation, plan=plan, remember=remember, facts=operation.facts | READS)


def with_shares(plan: Plan, inventory: Inventory, replaced: Mapping[str, str] = {}) -> Plan:
    """`plan` with the steps that its shares need before and after it. Raises `Refused` for none of them.

    `replaced`: see `jobs.operation.Operation.replaces`.
    """
    if not inventory.sharing.smb and not inventory.sharing.nfs:
        return plan
    effects = effects_of(plan, inventory, replaced)
    before = withdrawal(effects, inventory)
    settled = _as_served(effects.middle, inventory) if before else inventory.served
    after = msgspec.structs.replace(effects.after, served=settled)
    behind = apply(after.sharing, after)
    if not before and not behind and after.sharing == inventory.sharing:
        return plan
    findings = Findings()
    _add_findings(effects, inventory, findings)
    changing.warn_of_drift(drifted(inventory), findings)
    return msgspec.structs.replace(
        plan,
        steps=(*before, *plan.steps, *behind),
        findings=(*plan.findings, *_fresh(findings.all(), plan)),
        claims=(*plan.claims, changing.CLAIM),
    )


def withdrawal(effects: ShareEffects, inventory: Inventory) -> tuple[Step, ...]:
    """The steps after which no share of what leaves is served, and no client holds it."""
    steps = list(apply(inventory.sharing, effects.middle)) if effects.leaving else []
    release = _release(effects, inventory)
    if release:
        steps.append(Step(title="Disconnect clients that use it", commands=release))
    return tuple(steps)


def _release(effects: ShareEffects, inventory: Inventory) -> tuple[AnyCommand, ...]:
    """Shares that stay, and reach into what leaves: their clients are cut off, or keep it busy."""
    commands: list[AnyCommand] = []
    if inventory.served.services.get("smbd") == "active":
        for share in inventory.sharing.smb:
            place = standing(share, effects.middle).place
            if place is not None and any(path.startswith(f"{place}/") for path in effects.leaving):
                commands.append(CloseShare(name=share.name))
    served = set(exported(inventory.sharing, inventory))
    commands += [ReleaseNfs(path=path) for path in effects.leaving if path in served]
    return tuple(commands)


def _add_findings(effects: ShareEffects, inventory: Inventory, findings: Findings) -> None:
    kept = {("smb", one.id) for one in effects.after.sharing.smb}
    kept |= {("nfs", one.id) for one in effects.after.sharing.nfs}
    for kind, shares in (("smb", inventory.sharing.smb), ("nfs", inventory.sharing.nfs)):
        for share in shares:
            called = f"The export of {share.dataset}"
            if isinstance(share, SmbShare):
                called = f"The share {share.name}"
            before, then = standing(share, inventory), standing(share, effects.after)
            if (kind, share.id) not in kept:
                findings.warning("share-goes", "", f"{called} is deleted with its dataset.")
            elif before.place is not None and then.why == "bad-place":
                findings.warning("share-waits", "", f"{called} is not served from there. {then.words}")
            elif before.place is not None and then.place is None:
                findings.warning(
                    "share-waits", "", f"{called} is not served until its dataset is mounted again."
                )
            elif before.place != then.place and kind == "nfs":
                message = f"{called} moves to {then.place}: clients have to mount it again."
                findings.warning("share-moves", "", message)
            elif before.place in effects.leaving:
                findings.info("share-interrupted", "", f"{called} is not served for a moment.")
    for command in _release(effects, inventory):
        if isinstance(command, CloseShare):
            message = f"Clients connected to {command.name} are cut off for a moment: the share includes it."
            findings.info("share-closed", "", message)


def _fresh(found: tuple[Finding, ...], plan: Plan) -> tuple[Finding, ...]:
    """Findings are about the field that the plan's own are about."""
    field = next((one.field for one in plan.findings if one.field), "name")
    return tuple(msgspec.structs.replace(one, field=field) for one in found)


def _as_served(middle: Inventory, inventory: Inventory) -> Served:
    """What the machine serves once the shares of what leaves are withdrawn."""
    served = inventory.served
    return msgspec.structs.replace(
        served,
        files=texts(inventory.sharing, middle),
        exported=exported(inventory.sharing, middle),
    )
