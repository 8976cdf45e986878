"""nfs.create, nfs.change, nfs.delete: export a file system by NFS, change that, and stop it."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from host.inventory import Inventory, NfsShare, Sharing
from host.inventory.shares import NfsClient as Client
from host.inventory.shares import Security, Squash
from jobs.plan import Plan
from jobs.planning.findings import Findings
from jobs.wording import capital
from shares import changing, stored
from shares.nfs.checks import check, included, rooted, warn_of_heir
from shares.serving import below, heir, standing
from shares.wording import machines, mounting, waits

_Text = Annotated[str, Meta(max_length=1024)]
_CUT_OFF = "Clients that have it mounted get errors until they unmount it."


class GivenClient(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Who may mount it, and how: a host name, an address, a network such as 192.168.1.0/24, or *."""

    host: Annotated[str, Meta(max_length=300)]
    read_only: bool = False
    squash: Squash = "root"
    security: Annotated[tuple[Security, ...], Meta(max_length=4)] = ("sys",)


Clients = Annotated[tuple[GivenClient, ...], Meta(max_length=100)]


class CreateNfsShare(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Export a dataset; with `below` also the file systems below it, which look empty otherwise.

    One below that has an export of its own is exported as that says: to nobody while that is off.
    """

    dataset: _Text
    clients: Clients
    below: bool = True
    enabled: bool = True


class ChangeNfsShare(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Change what is given of an export, and leave the rest."""

    id: Annotated[int, Meta(ge=1)]
    clients: Clients | None = None
    below: bool | None = None
    enabled: bool | None = None


class DeleteNfsShare(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Stop exporting a dataset. Its files stay.

    Where an export above it includes it, that one's clients may mount it from then on, and the plan says so.
    """

    id: Annotated[int, Meta(ge=1)]


def plan_create(request: CreateNfsShare, inventory: Inventory) -> Plan:
    """Raises `Refused` with all that is wrong."""
    findings = Findings()
    share, sharing = _created(request, inventory)
    if share.guid and any(one.guid == share.guid for one in inventory.sharing.nfs):
        findings.error(
            "exported-already",
            "dataset",
            f"{request.dataset} is exported already. Change that export instead.",
        )
    check(share, inventory, findings)
    title = f"Save the export of {request.dataset}"
    summary = _summary(share, inventory)
    return changing.plan_of("nfs.create", title, sharing, inventory, findings, summary=summary)


def plan_change(request: ChangeNfsShare, inventory: Inventory) -> Plan:
    """Raises `Refused` with all that is wrong, or where nothing would differ."""
    findings = Findings()
    found = _found(request.id, inventory, findings)
    wanted, sharing = _changed(request, found, inventory)
    if wanted == found:
        findings.refuse("nothing-changes", "", "These settings are already in place.")
    check(wanted, inventory, findings)
    above = heir(found, sharing, inventory)
    if above and wanted.enabled and found.below and not wanted.below:
        warn_of_heir(f"What lies below {found.dataset}", above, findings)
    title = f"Save the changes to the export of {found.dataset}"
    return changing.plan_of(
        "nfs.change",
        title,
        sharing,
        inventory,
        findings,
        summary=_summary(wanted, inventory),
        notice=_cut_off(found, wanted) if standing(found, inventory).place is not None else "",
    )


def plan_delete(request: DeleteNfsShare, inventory: Inventory) -> Plan:
    """Raises `Refused` where it is not there."""
    findings = Findings()
    found = _found(request.id, inventory, findings)
    left = _without(found, inventory)
    above = heir(found, left, inventory)
    lost = _CUT_OFF
    summary = f"{found.dataset} is no longer exported by NFS; its files stay."
    if above:
        warn_of_heir(found.dataset, above, findings)
        lost = _cut_off(found, above)
        summary = f"{found.dataset} has no export of its own any more, but {included(above)}; its files stay."
    if lost:
        message = "Clients that have it mounted get errors (stale file handle) until they unmount it."
        findings.warning("cut-off", "", message)
    findings.info("files-stay", "", f"All files of {found.dataset} stay as they are.")
    title = f"Delete the export of {found.dataset}"
    notice = lost if standing(found, inventory).place is not None else ""
    return changing.plan_of("nfs.delete", title, left, inventory, findings, summary=summary, notice=notice)


def _summary(share: NfsShare, inventory: Inventory) -> str:
    if not share.enabled:
        return f"The export of {share.dataset} is turned off: nobody can mount it until it is on again."
    what = f"{share.dataset}{_with_below(share, inventory)} exported by NFS"
    return f"{what}: {mounting(share.clients)}{waits(share, inventory)}.{rooted(share.clients)}"


def _with_below(share: NfsShare, inventory: Inventory) -> str:
    whole = msgspec.structs.replace(share, below=True)
    if not (count := len(below(whole, inventory))):
        return " is"
    words = f"the {'dataset' if count == 1 else f'{count} datasets'} below it"
    return f" and {words} are" if share.below else f", without {words}, is"


def _cut_off(before: NfsShare, wanted: NfsShare) -> str:
    """Who loses something by a change; empty where nobody does."""
    if not wanted.enabled:
        return _CUT_OFF
    now = {one.host: one for one in wanted.clients}
    lost = machines(one for one in before.clients if one.host not in now)
    narrowed = machines(
        one for one in before.clients if one.host in now and now[one.host].read_only and not one.read_only
    )
    clauses = [f"{lost} can no longer use it and will see errors where it is mounted"] if lost else []
    clauses += [f"{narrowed} can no longer write"] if narrowed else []
    return f"{capital('; '.join(clauses))}." if clauses else ""


def remember_create(request: CreateNfsShare, inventory: Inventory, _actor: str) -> None:
    """Write its row."""
    stored.keep(_created(request, inventory)[1])


def remember_change(request: ChangeNfsShare, inventory: Inventory, _actor: str) -> None:
    """Write its row."""
    if found := inventory.sharing.nfs_share(request.id):
        stored.keep(_changed(request, found, inventory)[1])


def remember_delete(request: DeleteNfsShare, inventory: Inventory, _actor: str) -> None:
    """Delete its row."""
    if found := inventory.sharing.nfs_share(request.id):
        stored.keep(_without(found, inventory))


def _found(share_id: int, inventory: Inventory, findings: Findings) -> NfsShare:
    found = inventory.sharing.nfs_share(share_id)
    if found is None:
        findings.refuse("unknown-share", "id", f"There is no export number {share_id}.")
    return found


def _created(request: CreateNfsShare, inventory: Inventory) -> tuple[NfsShare, Sharing]:
    found = inventory.dataset(request.dataset)
    share = NfsShare(
        id=0,
        guid=found.guid if found else "",
        dataset=request.dataset,
        enabled=request.enabled,
        clients=_clients(request.clients),
        below=request.below,
    )
    sharing = inventory.sharing
    return share, msgspec.structs.replace(sharing, nfs=(*sharing.nfs, share))


def _changed(request: ChangeNfsShare, found: NfsShare, inventory: Inventory) -> tuple[NfsShare, Sharing]:
    wanted = msgspec.structs.replace(
        found,
        clients=found.clients if request.clients is None else _clients(request.clients),
        below=found.below if request.below is None else request.below,
        enabled=found.enabled if request.enabled is None else request.enabled,
    )
    sharing = inventory.sharing
    nfs = tuple(wanted if one is found else one for one in sharing.nfs)
    return wanted, msgspec.structs.replace(sharing, nfs=nfs)


def _without(found: NfsShare, inventory: Inventory) -> Sharing:
    sharing = inventory.sharing
    return msgspec.structs.replace(sharing, nfs=tuple(one for one in sharing.nfs if one is not found))


def _clients(given: tuple[GivenClient, ...]) -> tuple[Client, ...]:
    return tuple(Client(**msgspec.structs.asdict(one)) for one in given)
