"""Shares of datasets that were lost are shares of what came back, which has other guids.

That is said in a plan, and done only by one: a dataset that happens to have the name of one that was
destroyed is shared with nobody.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from host.inventory import Inventory, NfsShare, Sharing, SmbShare
from jobs.operation import Operation, nothing_comes_back
from jobs.plan import Finding, Plan
from jobs.planning.findings import Findings
from shares import stored
from shares.following import READS


def brought_back[R](operation: Operation[R]) -> Operation[R]:
    """The operation with the shares of what it brings back."""
    if operation.brings_back is nothing_comes_back:
        return operation

    def plan(request: R, inventory: Inventory) -> Plan:
        found = operation.plan(request, inventory)
        more = _said(inventory, operation.brings_back(request, inventory))
        return msgspec.structs.replace(found, findings=(*found.findings, *more))

    def remember(request: R, inventory: Inventory, actor: str) -> None:
        wanted = relinked(inventory, operation.brings_back(request, inventory))
        operation.remember(request, inventory, actor)
        if wanted != inventory.sharing:
            stored.keep(wanted)

    return msgspec.structs.replace(operation, plan=plan, remember=remember, facts=operation.facts | READS)


def relinked(inventory: Inventory, names: Mapping[str, str]) -> Sharing:
    """What is shared once the datasets `names` (lost → back) stand for those that are in no pool now."""
    there = {one.guid for one in inventory.datasets}

    def linked[S: (SmbShare, NfsShare)](share: S) -> S:
        found = inventory.dataset(names.get(share.dataset, ""))
        if share.guid in there or found is None:
            return share
        return msgspec.structs.replace(share, guid=found.guid, dataset=found.name)

    sharing = inventory.sharing
    return msgspec.structs.replace(
        sharing, smb=tuple(map(linked, sharing.smb)), nfs=tuple(map(linked, sharing.nfs))
    )


def _said(inventory: Inventory, names: Mapping[str, str]) -> tuple[Finding, ...]:
    findings = Findings()
    wanted = relinked(inventory, names)
    for before, then in zip(inventory.sharing.smb, wanted.smb, strict=True):
        if before != then:
            findings.info("share-back", "", f"The share {then.name} is served from {then.dataset} again.")
    for export, again in zip(inventory.sharing.nfs, wanted.nfs, strict=True):
        if export != again:
            message = f"{again.dataset} is exported by NFS again: its clients have to mount it anew."
            findings.info("share-back", "", message)
    return findings.all()
