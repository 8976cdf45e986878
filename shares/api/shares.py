"""`shares/smb/`, `shares/nfs/`, `shares/settings/`, `shares/apply/`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from rest_framework.request import Request
from rest_framework.response import Response

from jobs.api import paging
from jobs.api.document import PAGING, describe
from jobs.api.operations import writes
from jobs.api.views import View, found, inventory_now
from shares.answers import (
    NfsShareAnswer,
    SharingAnswer,
    SmbShareAnswer,
    nfs_answer,
    sharing_answer,
    smb_answer,
)
from shares.apply_again import ApplySharing
from shares.nfs.exports import ChangeNfsShare, CreateNfsShare, DeleteNfsShare
from shares.set_sharing import SetSharing
from shares.share_folder import ShareFolder
from shares.smb.change_share import ChangeSmbShare
from shares.smb.create_share import CreateSmbShare
from shares.smb.delete_share import DeleteSmbShare


class SmbSharePage(msgspec.Struct, frozen=True, kw_only=True):
    """A page of shares of SMB."""

    as_of: str
    results: tuple[SmbShareAnswer, ...]
    next: str | None


class NfsSharePage(msgspec.Struct, frozen=True, kw_only=True):
    """A page of exports of NFS."""

    as_of: str
    results: tuple[NfsShareAnswer, ...]
    next: str | None


class SmbShares(View):
    """All shares of SMB."""

    area = "shares"

    @describe("list_smb_shares", {200: SmbSharePage}, parameters=PAGING)
    def get(self, request: Request) -> Response:
        """A page of shares, by name."""
        inventory = inventory_now()
        return paging.of_values(
            request,
            inventory.sharing.smb,
            key=lambda share: share.name,
            show=lambda share: smb_answer(share, inventory),
            as_of=inventory.as_of,
        )

    @writes("smb.create", CreateSmbShare)
    def post(self, request: Request) -> Mapping[str, Any]:
        """Share a dataset. What is left out is as the purpose has it."""
        return {}


class OneSmbShare(View):
    """One share of SMB."""

    area = "shares"

    @describe("get_smb_share", {200: SmbShareAnswer})
    def get(self, request: Request, share: str) -> Response:
        """The share and its state."""
        inventory = inventory_now()
        return Response(smb_answer(found(inventory.sharing.smb_share(share), "share"), inventory))

    @writes("smb.change", ChangeSmbShare, by_path=("share",))
    def patch(self, request: Request, share: str) -> Mapping[str, Any]:
        """Change what is given, and leave the rest."""
        return _share(share)

    @writes("smb.delete", DeleteSmbShare, by_path=("share",))
    def delete(self, request: Request, share: str) -> Mapping[str, Any]:
        """Stop sharing it. Its files stay."""
        return _share(share)


class NfsShares(View):
    """All exports of NFS."""

    area = "shares"

    @describe("list_nfs_shares", {200: NfsSharePage}, parameters=PAGING)
    def get(self, request: Request) -> Response:
        """A page of exports, by dataset."""
        inventory = inventory_now()
        return paging.of_values(
            request,
            inventory.sharing.nfs,
            key=lambda share: share.dataset,
            show=lambda share: nfs_answer(share, inventory),
            as_of=inventory.as_of,
        )

    @writes("nfs.create", CreateNfsShare)
    def post(self, request: Request) -> Mapping[str, Any]:
        """Export a dataset."""
        return {}


class OneNfsShare(View):
    """One export of NFS."""

    area = "shares"

    @describe("get_nfs_share", {200: NfsShareAnswer})
    def get(self, request: Request, share_id: int) -> Response:
        """The export and its state."""
        inventory = inventory_now()
        return Response(nfs_answer(found(inventory.sharing.nfs_share(share_id), "export"), inventory))

    @writes("nfs.change", ChangeNfsShare, by_path=("id",))
    def patch(self, request: Request, share_id: int) -> Mapping[str, Any]:
        """Change what is given, and leave the rest."""
        return _export(share_id)

    @writes("nfs.delete", DeleteNfsShare, by_path=("id",))
    def delete(self, request: Request, share_id: int) -> Mapping[str, Any]:
        """Stop exporting it. Its files stay."""
        return _export(share_id)


class Folder(View):
    """A folder for people, from nothing."""

    area = "shares"

    @writes("folder.share", ShareFolder)
    def post(self, request: Request) -> Mapping[str, Any]:
        """Make a dataset if asked to, set its rights and share it: one plan, one job."""
        return {}


class Settings(View):
    """What holds for all shares."""

    area = "shares"

    @describe("get_sharing", {200: SharingAnswer})
    def get(self, request: Request) -> Response:
        """The settings, the services, and what was changed by hand."""
        return Response(sharing_answer(inventory_now()))

    @writes("sharing.set", SetSharing)
    def patch(self, request: Request) -> Mapping[str, Any]:
        """Change what is given, and leave the rest."""
        return {}


class Apply(View):
    """Our files as they should be."""

    area = "shares"

    @writes("sharing.apply", ApplySharing)
    def post(self, request: Request) -> Mapping[str, Any]:
        """Write the files of all shares again, and have them read."""
        return {}


def _share(name: str) -> Mapping[str, Any]:
    return {"share": found(inventory_now().sharing.smb_share(name), "share").name}


def _export(share_id: int) -> Mapping[str, Any]:
    return {"id": found(inventory_now().sharing.nfs_share(share_id), "export").id}
