"""`datasets/{path}/quotas/`: how much a dataset and the accounts in it take, and may take."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from rest_framework.request import Request
from rest_framework.response import Response

from host import typed
from host.inventory import Dataset
from jobs.api.document import PREFER, describe
from jobs.api.operations import writes
from jobs.api.questions import StillAsking, answered
from jobs.api.shapes import Moment
from jobs.api.views import View, found, inventory_now
from pools.quotas.set_quotas import SetQuotas
from pools.quotas.use import AccountUse


class QuotasAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """What a dataset takes and may take, and who takes how much of it; null for no limit.

    `accounts` is null for volumes and for what is locked; `more` counts the smallest that were left out.
    """

    name: str
    used_bytes: int
    by_dataset_bytes: int
    by_snapshots_bytes: int
    by_children_bytes: int
    by_refreservation_bytes: int
    available_bytes: int
    quota_bytes: int | None
    refquota_bytes: int | None
    reservation_bytes: int | None
    refreservation_bytes: int | None
    accounts: tuple[AccountUse, ...] | None
    more: int
    as_of: Moment


class Quotas(View):
    """Quotas and reservations of one dataset."""

    area = "pools"

    @describe("get_quotas", {200: QuotasAnswer, 202: StillAsking}, parameters=[PREFER])
    def get(self, request: Request, name: str) -> Response:
        """What it takes and who takes it. The accounts are read now: 202 where that takes longer."""
        inventory = inventory_now()
        dataset = found(inventory.dataset(name), "dataset")
        if dataset.kind == "volume" or dataset.value("keystatus") == "unavailable":
            return Response(_answer(dataset, inventory.as_of, None, 0))
        report = answered(request, "dataset.quota-use", {"name": dataset.name})
        if report.status_code != 200:
            return report
        use = typed.decode(bytes(report.data))
        accounts = typed.convert(use["accounts"], tuple[AccountUse, ...])
        return Response(_answer(dataset, inventory.as_of, accounts, use["more"]))

    @writes("dataset.quota", SetQuotas, by_path=("name",))
    def post(self, request: Request, name: str) -> Mapping[str, Any]:
        """Set quotas and reservations in bytes; null lifts one."""
        return {"name": found(inventory_now().dataset(name), "dataset").name}


def _answer(dataset: Dataset, as_of: str, accounts: tuple[AccountUse, ...] | None, more: int) -> QuotasAnswer:
    return QuotasAnswer(
        name=dataset.name,
        used_bytes=dataset.number("used"),
        by_dataset_bytes=dataset.number("usedbydataset"),
        by_snapshots_bytes=dataset.number("usedbysnapshots"),
        by_children_bytes=dataset.number("usedbychildren"),
        by_refreservation_bytes=dataset.number("usedbyrefreservation"),
        available_bytes=dataset.number("available"),
        quota_bytes=dataset.number("quota") or None,
        refquota_bytes=dataset.number("refquota") or None,
        reservation_bytes=dataset.number("reservation") or None,
        refreservation_bytes=dataset.number("refreservation") or None,
        accounts=accounts,
        more=more,
        as_of=as_of,
    )
