"""folder.share: make a folder that people use: dataset, permissions and share in one plan and one job."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

import msgspec
from msgspec import Meta

from host.commands.shares.rights import SetFolderRights
from host.files import acl
from host.inventory import Dataset, Inventory, NfsShare, Property, Sharing, SmbShare
from host.inventory.people import EVERYBODY
from host.inventory.shares import Guests, Purpose
from host.inventory.shares import NfsClient as Client
from jobs.plan import Finding, Plan, Refused, Step
from jobs.planning.findings import Findings
from shares import changing, stored
from shares.nfs import checks as nfs_checks
from shares.nfs.exports import Clients
from shares.purposes import purpose
from shares.rights.presets import OWNER, Choice, Granted, wanted
from shares.rights.reach import unsettable
from shares.smb import checks as smb_checks
from shares.smb.fields import MostBytes, Names, given
from shares.wording import access, mounting, waits

_Text = Annotated[str, Meta(max_length=1024)]
# The plan that makes a dataset of that name by a preset; `pools` has it, and `nasweb` brings both together.
NewDataset = Callable[[str, str, Inventory], Plan]


class ShareFolder(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Share a dataset by SMB, and by NFS with those of `nfs`; with `create` it is made first, by its purpose.

    With `set_rights` the folder itself lets `read` and `write` do what the share lets them do.
    """

    dataset: _Text
    name: _Text
    create: bool = False
    purpose: Purpose = "general"
    comment: _Text | None = None
    read: Names | None = None
    write: Names | None = None
    guests: Guests | None = None
    most_bytes: MostBytes | None = None
    nfs: Clients = ()
    set_rights: bool = True


def plan(request: ShareFolder, inventory: Inventory, *, new_dataset: NewDataset) -> Plan:
    """Raises `Refused` with all that is wrong with the dataset, the share and its people."""
    findings = Findings()
    making = _making(request, inventory, new_dataset)
    if isinstance(making, Refused):
        wrong = tuple(_in_our_words(one) for one in making.findings)
        raise Refused(wrong)
    then = _then(request, inventory) if making else inventory
    share, sharing = _wanted(request, then)
    smb_checks.check(share, then.sharing, then, findings)
    if request.set_rights:
        _check_rights(inventory.dataset(request.dataset), findings)
    if request.nfs:
        if any(one.guid == share.guid and one.guid for one in then.sharing.nfs):
            findings.error("exported-already", "nfs", f"{request.dataset} is exported by NFS already.")
        nfs_checks.check(sharing.nfs[-1], then, findings)
    findings.refuse_on_error()
    rights = _rights(request, share, then) if request.set_rights else ()
    title = f"Save the share {share.name}"
    summary = _summary(request, share, sharing, then)
    served = changing.plan_of("folder.share", title, sharing, then, findings, summary=summary)
    before = making.steps if making else ()
    report = (*(making.findings if making else ()), *served.findings)
    return msgspec.structs.replace(
        served,
        steps=(*before, *rights, *served.steps),
        findings=report,
        claims=(f"dataset:{request.dataset}", *served.claims),
    )


def _summary(request: ShareFolder, share: SmbShare, sharing: Sharing, then: Inventory) -> str:
    made = "is created and shared" if request.create else "is shared"
    nfs = f"; over NFS, {mounting(sharing.nfs[-1].clients)}" if request.nfs else ""
    first = f"{share.dataset} {made} by SMB as {share.name}: {access(share)}{nfs}{waits(share, then)}."
    if request.create or not request.set_rights:
        return first
    return f"{first} The folder itself lets the same people in; existing files keep their permissions."


def also_needs(request: ShareFolder) -> tuple[str, ...]:
    """Whoever has a dataset made must be allowed to make datasets."""
    return ("pools:write",) if request.create else ()


def remember(request: ShareFolder, inventory: Inventory, _actor: str) -> None:
    """Write the rows."""
    stored.keep(_wanted(request, _then(request, inventory))[1])


def _making(request: ShareFolder, inventory: Inventory, new_dataset: NewDataset) -> Plan | Refused | None:
    if not request.create:
        return None
    try:
        return new_dataset(request.dataset, purpose(request.purpose).preset, inventory)
    except Refused as refused:
        return refused


def _in_our_words(finding: Finding) -> Finding:
    """A dataset's name is called `dataset` here."""
    return msgspec.structs.replace(finding, field="dataset") if finding.field == "name" else finding


def _then(request: ShareFolder, inventory: Inventory) -> Inventory:
    """The machine once the dataset is made: it is mounted below the one above it."""
    if inventory.dataset(request.dataset) is not None:
        return inventory
    above, _, name = request.dataset.rpartition("/")
    parent = inventory.dataset(above)
    place = f"{(parent.value('mountpoint') if parent else None) or ''}/{name}"
    mounted = "yes" if parent is not None and parent.mounted else "no"
    found = Dataset(
        name=request.dataset,
        kind="filesystem",
        guid="",
        properties={
            "mountpoint": Property(value=place, source="inherited", inherited_from=above),
            "mounted": Property(value=mounted, source="none"),
        },
    )
    return msgspec.structs.replace(inventory, datasets=(*inventory.datasets, found))


def _wanted(request: ShareFolder, inventory: Inventory) -> tuple[SmbShare, Sharing]:
    found = inventory.dataset(request.dataset)
    guid = found.guid if found else ""
    chosen = given(request, without=("create", "nfs", "set_rights"))
    share = SmbShare(id=0, guid=guid, **(purpose(request.purpose).values | chosen))
    sharing = inventory.sharing
    nfs = sharing.nfs
    if request.nfs:
        clients = tuple(Client(**msgspec.structs.asdict(one)) for one in request.nfs)
        nfs = (*nfs, NfsShare(id=0, guid=guid, dataset=request.dataset, clients=clients))
    return share, msgspec.structs.replace(sharing, smb=(*sharing.smb, share), nfs=nfs)


def _check_rights(found: Dataset | None, findings: Findings) -> None:
    """Of one that is there: a new one takes lists. A volume has its finding already."""
    if found is not None and found.kind != "volume" and (why := unsettable(found)):
        message = f"{why.message} Or share it without setting the folder permissions."
        findings.error(why.code, why.field, message)


def _rights(request: ShareFolder, share: SmbShare, inventory: Inventory) -> tuple[Step, ...]:
    """Samba lets nobody do more than the file system does: both say the same from the beginning."""
    if EVERYBODY not in inventory.accounts.gids:
        return ()
    everyone: Choice = "none" if share.guests == "no" else share.guests
    granted = Granted(read=share.read, write=share.write, everyone=everyone)
    if share.purpose == "homes":  # their folders are their own; this one they only pass through
        granted = Granted(read=(*share.read, *share.write), write=(), everyone="none")
    text = acl.text(wanted(granted, inventory.accounts))
    group = inventory.accounts.gids[EVERYBODY]
    command = SetFolderRights(dataset=request.dataset, path="", owner=OWNER, group=group, acl=text)
    return (Step(title=f"Give those people access to the folder of {request.dataset}", commands=(command,)),)
