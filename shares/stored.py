"""Reads and writes the rows of shares."""

from __future__ import annotations

from typing import Any

import msgspec
from django.db import transaction

from host import typed
from host.inventory import Accounts, Inventory, NfsShare, Sharing, SharingSettings, SmbShare
from jobs.rows import Rows
from shares.models import NfsShareRow, SharingRow, SmbShareRow

_APART = ("id", "name", "guid", "dataset")


def complete(inventory: Inventory) -> Inventory:
    """`inventory` with what is shared, and which numbers people had; a dataset that was renamed since is
    shown by its current name."""
    names = {one.guid: one.name for one in inventory.datasets}
    rows = Rows(SharingRow, SmbShareRow, NfsShareRow)
    row = next(iter(rows.of(SharingRow)), SharingRow(pk=1))  # there is one
    sharing = Sharing(
        smb=tuple(_smb(_found(one, inventory), names) for one in rows.of(SmbShareRow)),
        nfs=tuple(_nfs(_found(one, inventory), names) for one in rows.of(NfsShareRow)),
        settings=typed.convert(row.settings, SharingSettings),
    )
    return msgspec.structs.replace(inventory, sharing=sharing, accounts=_remembered(row, inventory.accounts))


def keep(sharing: Sharing) -> None:
    """Store `sharing` in the rows; one with the number 0 is new."""
    with transaction.atomic():
        SmbShareRow.objects.exclude(pk__in=[one.id for one in sharing.smb]).delete()
        NfsShareRow.objects.exclude(pk__in=[one.id for one in sharing.nfs]).delete()
        for smb in sharing.smb:
            known = {"name": smb.name, "guid": smb.guid, "dataset": smb.dataset, "value": _value(smb)}
            _write(SmbShareRow, smb.id, known)
        for nfs in sharing.nfs:
            _write(NfsShareRow, nfs.id, {"guid": nfs.guid, "dataset": nfs.dataset, "value": _value(nfs)})
        settings = msgspec.to_builtins(sharing.settings)
        SharingRow.objects.update_or_create(pk=1, defaults={"settings": settings})


def _remembered(row: SharingRow, accounts: Accounts) -> Accounts:
    """`accounts` with the highest numbers ever seen, which are noted before anybody can be deleted."""
    found = accounts.remembering(row.highest_uid, row.highest_gid)
    noted = {"highest_uid": found.highest_uid, "highest_gid": found.highest_gid}
    for column, number in noted.items():
        if number > getattr(row, column):
            SharingRow.objects.get_or_create(pk=1)
            SharingRow.objects.filter(**{"pk": 1, f"{column}__lt": number}).update(**{column: number})
    return found


def _found[R: (SmbShareRow, NfsShareRow)](row: R, inventory: Inventory) -> R:
    """`row`, with the guid of its dataset, which is noted where that was made in one job with the share."""
    if row.guid == "" and (found := inventory.dataset(row.dataset)):
        row.guid = found.guid
        type(row).objects.filter(pk=row.pk).update(guid=row.guid)
    return row


def _write(model: type[SmbShareRow] | type[NfsShareRow], share_id: int, values: dict[str, Any]) -> None:
    if share_id:
        model.objects.filter(pk=share_id).update(**values)
    else:
        model.objects.create(**values)


def _value(share: SmbShare | NfsShare) -> dict[str, Any]:
    found: dict[str, Any] = msgspec.to_builtins(share)
    return {name: value for name, value in found.items() if name not in _APART}


def _smb(row: SmbShareRow, names: dict[str, str]) -> SmbShare:
    known = {"id": row.pk, "name": row.name, "guid": row.guid, "dataset": names.get(row.guid, row.dataset)}
    return typed.convert(row.value | known, SmbShare)


def _nfs(row: NfsShareRow, names: dict[str, str]) -> NfsShare:
    known = {"id": row.pk, "guid": row.guid, "dataset": names.get(row.guid, row.dataset)}
    return typed.convert(row.value | known, NfsShare)
