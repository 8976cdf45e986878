"""The operations on shares, and those of the folders beside."""

from __future__ import annotations

from functools import partial
from typing import Any

from host.families import Family
from jobs.operation import Operation
from jobs.wording import Data, Link, Wording, at, filled
from shares import apply_again, set_sharing, share_folder
from shares.following import READS as SERVED
from shares.links import CONNECT, EXPORT_PAGE, SHARE_PAGE, SHARES_PAGE, share_href
from shares.nfs import exports
from shares.people import create_with_folder
from shares.people.operations import OPERATIONS as PEOPLE
from shares.rights.operations import OPERATIONS as RIGHTS
from shares.smb import change_share, create_share, delete_share


def _folder(data: Data) -> str | None:
    new = data.get("create")
    return filled(
        "Create {dataset} and share it as {name}" if new else "Share the folder {dataset} as {name}", data
    )


def _changed_share(data: Data) -> Link:
    return (
        Link(f"Open {data['name']}", share_href(str(data["name"]))) if data.get("name") else SHARE_PAGE(data)
    )


OPERATIONS: tuple[Operation[Any], ...] = (
    Operation(
        name="smb.create",
        request=create_share.CreateSmbShare,
        plan=create_share.plan,
        scope="shares:write",
        effect="changes",
        facts=SERVED,
        remember=create_share.remember,
        wording=Wording(
            title="Share {dataset} as {name}",
            page=at("New share", "/create/share/smb/"),
            result=CONNECT,
            editable=True,
        ),
    ),
    Operation(
        name="smb.change",
        request=change_share.ChangeSmbShare,
        plan=change_share.plan,
        scope="shares:write",
        effect="changes",
        facts=SERVED,
        remember=change_share.remember,
        wording=Wording(title="Change the share {share}", page=SHARE_PAGE, result=_changed_share),
    ),
    Operation(
        name="smb.delete",
        request=delete_share.DeleteSmbShare,
        plan=delete_share.plan,
        scope="shares:write",
        effect="changes",
        facts=SERVED,
        remember=delete_share.remember,
        wording=Wording(title="Delete the share {share}", page=SHARE_PAGE, result=SHARES_PAGE),
    ),
    Operation(
        name="nfs.create",
        request=exports.CreateNfsShare,
        plan=exports.plan_create,
        scope="shares:write",
        effect="changes",
        facts=SERVED,
        remember=exports.remember_create,
        wording=Wording(
            title="Export {dataset}",
            page=at("New export", "/create/share/nfs/"),
            result=SHARES_PAGE,
            editable=True,
        ),
    ),
    Operation(
        name="nfs.change",
        request=exports.ChangeNfsShare,
        plan=exports.plan_change,
        scope="shares:write",
        effect="changes",
        facts=SERVED,
        remember=exports.remember_change,
        wording=Wording(title="Change an export", page=EXPORT_PAGE),
    ),
    Operation(
        name="nfs.delete",
        request=exports.DeleteNfsShare,
        plan=exports.plan_delete,
        scope="shares:write",
        effect="changes",
        facts=SERVED,
        remember=exports.remember_delete,
        wording=Wording(title="Delete an export", page=EXPORT_PAGE, result=SHARES_PAGE),
    ),
    Operation(
        name="sharing.set",
        request=set_sharing.SetSharing,
        plan=set_sharing.plan,
        scope="shares:write",
        effect="changes",
        facts=SERVED | {Family.NETWORK},
        remember=set_sharing.remember,
        wording=Wording(
            title="Change settings for all shares", page=at("Settings for all shares", "/settings/shares/")
        ),
    ),
    Operation(
        name="sharing.apply",
        request=apply_again.ApplySharing,
        plan=apply_again.plan,
        scope="shares:write",
        effect="changes",
        facts=SERVED,
        wording=Wording(title="Reapply shares", page=SHARES_PAGE),
    ),
    Operation(
        name="sharing.follow",
        request=apply_again.ApplySharing,
        plan=apply_again.plan_following,
        scope="shares:write",
        effect="changes",
        facts=SERVED,
        routine=True,
        wording=Wording(title="Update shares after dataset changes", page=SHARES_PAGE),
    ),
    *PEOPLE,
    *RIGHTS,
)


def share_folder_of(new_dataset: share_folder.NewDataset) -> Operation[share_folder.ShareFolder]:
    """The row of `folder.share`, which may make the dataset too: as `new_dataset` plans it."""
    return Operation(
        name="folder.share",
        request=share_folder.ShareFolder,
        plan=partial(share_folder.plan, new_dataset=new_dataset),
        scope="shares:write",
        effect="changes",
        also_needs=share_folder.also_needs,
        facts=SERVED,
        remember=share_folder.remember,
        wording=Wording(
            title=_folder, page=at("Share a folder", "/share/folder/"), result=CONNECT, editable=True
        ),
    )


def person_with_folder_of(
    new_dataset: share_folder.NewDataset,
) -> Operation[create_with_folder.CreatePersonWithFolder]:
    """The row of `person.create-with-folder`, whose dataset is made as `new_dataset` plans it."""
    return Operation(
        name="person.create-with-folder",
        request=create_with_folder.CreatePersonWithFolder,
        plan=partial(create_with_folder.plan, new_dataset=new_dataset),
        scope="shares:write",
        effect="changes",
        also_needs=create_with_folder.also_needs,
        facts=SERVED,
        remember=create_with_folder.remember,
        wording=Wording(
            title="Create {name} with a private folder",
            page=at("New person", "/create/person/"),
            result=CONNECT,
            editable=True,
        ),
    )
