"""Shares that name a person or group who goes: the name is taken out of them in the same plan.

A name that stayed would let in whoever is called so next.
"""

from __future__ import annotations

import msgspec

from host.inventory import Inventory, Sharing, SmbShare
from jobs.plan import Plan
from jobs.planning.findings import Findings
from shares import changing
from shares.applying import apply


def without(name: str, inventory: Inventory) -> Sharing:
    """What is shared once nobody is called `name`; a group's has a leading @."""
    smb = tuple(_without(share, name) for share in inventory.sharing.smb)
    return msgspec.structs.replace(inventory.sharing, smb=smb)


def with_shares(plan: Plan, name: str, inventory: Inventory) -> Plan:
    """`plan` with the change of the shares that name them. Raises `Refused` where one would be nobody's."""
    named = [share for share in inventory.sharing.smb if name in {*share.read, *share.write}]
    if not named:
        return plan
    findings = Findings()
    for share in named:
        left = _without(share, name)
        if not left.read and not left.write and share.guests == "no":
            message = f"Nobody else may use the share {share.name}. Delete it, or name somebody else, first."
            findings.error("last-of-share", "name", message)
        else:
            findings.info("leaves-share", "name", f"The share {share.name} does not name {name} any more.")
    findings.refuse_on_error()
    return msgspec.structs.replace(
        plan,
        steps=(*apply(without(name, inventory), inventory), *plan.steps),
        findings=(*plan.findings, *findings.all()),
        claims=(*plan.claims, changing.CLAIM),
    )


def _without(share: SmbShare, name: str) -> SmbShare:
    return msgspec.structs.replace(
        share,
        read=tuple(one for one in share.read if one != name),
        write=tuple(one for one in share.write if one != name),
    )
