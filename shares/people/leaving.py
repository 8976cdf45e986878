"""Shares that name a person or group who goes: the name is taken out of them in the same plan.

A name that stayed would let in whoever is called so next.
"""

from __future__ import annotations

import msgspec

from host.commands.shares.sharing import CloseShare
from host.inventory import Inventory, Sharing, SmbShare
from jobs.plan import Plan, Step
from jobs.planning.findings import Findings
from jobs.wording import capital
from shares import changing
from shares.applying import apply
from shares.wording import called, named


def without(name: str, inventory: Inventory) -> Sharing:
    """What is shared once nobody is called `name`; a group's has a leading @."""
    smb = tuple(_without(share, name) for share in inventory.sharing.smb)
    return msgspec.structs.replace(inventory.sharing, smb=smb)


def naming(name: str, inventory: Inventory) -> list[SmbShare]:
    """The shares that name them."""
    return [share for share in inventory.sharing.smb if name in {*share.read, *share.write}]


def with_shares(plan: Plan, name: str, inventory: Inventory) -> Plan:
    """`plan` with the change of the shares that name them. Raises `Refused` where one would be nobody's."""
    shares = naming(name, inventory)
    if not shares:
        return plan
    findings = Findings()
    for share in shares:
        left = _without(share, name)
        if not left.read and not left.write and share.guests == "no":
            message = f"Nobody else may use the share {share.name}. Delete it or add somebody else first."
            findings.error("last-of-share", "name", message)
        else:
            findings.info("leaves-share", "name", f"The share {share.name} no longer names {name}.")
    findings.refuse_on_error()
    steps = apply(without(name, inventory), inventory)
    return msgspec.structs.replace(
        plan,
        steps=(*steps, *plan.steps),
        summary=f"{plan.summary} {_summary(name, shares, steps)}",
        findings=(*plan.findings, *findings.all()),
        claims=(*plan.claims, changing.CLAIM),
    )


def _summary(name: str, shares: list[SmbShare], steps: tuple[Step, ...]) -> str:
    places = capital(named("share", [share.name for share in shares]))
    verb = "names" if len(shares) == 1 else "name"
    closed = any(isinstance(command, CloseShare) for step in steps for command in step.commands)
    cut = ", and clients connected there are cut off for a moment" if closed else ""
    return f"{places} no longer {verb} {called(name)}{cut}."


def _without(share: SmbShare, name: str) -> SmbShare:
    return msgspec.structs.replace(
        share,
        read=tuple(one for one in share.read if one != name),
        write=tuple(one for one in share.write if one != name),
    )
