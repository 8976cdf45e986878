"""dataset.quota: bounds of a dataset and of accounts in it, and space that is kept free."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from host.commands.closed import AnyCommand
from host.commands.datasets.space import Whose, ZfsSetQuota
from host.commands.datasets.zfs import ZfsSet
from host.inventory import Dataset, Inventory
from jobs.plan import Plan, Step
from jobs.planning.findings import Findings
from pools.quotas.limits import Limit, check_limits, in_words

Bytes = Annotated[int, Meta(ge=1, le=1 << 62)]
_ACCOUNT = r"\A[A-Za-z0-9_][A-Za-z0-9_.\-]*\$?\Z"
_WORDS = {"user": "user", "group": "group", "project": "project"}


class AccountLimit(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The most that one account may take: bytes, or files (`objects`). A null `limit` lifts it."""

    whose: Whose
    account: Annotated[str, Meta(pattern=_ACCOUNT, max_length=255, description="a name, or a number")]
    counts: Literal["bytes", "objects"] = "bytes"
    limit: Bytes | None


class SetQuotas(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Set or lift (null) quotas and reservations of a dataset in bytes, and quotas of accounts in it.

    `quota` and `reservation` count the dataset with all below it and its snapshots, `refquota` and
    `refreservation` its own files alone.
    """

    name: Annotated[str, Meta(max_length=1024)]
    limits_bytes: dict[Limit, Bytes | None] = {}
    accounts: Annotated[tuple[AccountLimit, ...], Meta(max_length=200)] = ()


def plan(request: SetQuotas, inventory: Inventory) -> Plan:
    """Raises `Refused` for what ZFS would refuse, such as a quota below what is there."""
    findings = Findings()
    dataset = inventory.dataset(request.name)
    if dataset is None:
        findings.refuse("unknown-dataset", "name", "There is no dataset of that name.")
    if not request.limits_bytes and not request.accounts:
        findings.error("nothing", "limits_bytes", "Say what to change.")
    check_limits(dataset, request.limits_bytes, inventory, findings)
    _check_accounts(request, dataset, findings)
    findings.refuse_on_error()
    return Plan(
        operation="dataset.quota",
        steps=(Step(title=f"Change quotas of {dataset.name}", commands=tuple(_commands(request))),),
        findings=findings.all(),
        claims=(f"dataset:{dataset.name}",),
    )


def _check_accounts(request: SetQuotas, dataset: Dataset, findings: Findings) -> None:
    if request.accounts and dataset.kind == "volume":
        findings.error("is-volume", "accounts", "A volume holds no files, so nobody owns any in it.")
    if request.accounts and dataset.value("keystatus") == "unavailable":
        findings.error("locked", "accounts", f"{dataset.name} is locked. Unlock it first.")
    seen: set[tuple[str, str, str]] = set()
    for index, one in enumerate(request.accounts):
        field = f"accounts[{index}]"
        key = (one.whose, one.account, one.counts)
        if key in seen:
            findings.error("twice", field, f"The {_WORDS[one.whose]} {one.account} comes twice.")
        seen.add(key)
        if one.whose == "project" and not one.account.isdecimal():
            findings.error("bad-account", f"{field}.account", "Projects have numbers, no names.")
        if one.account.isdecimal() and int(one.account) >= 1 << 32:
            findings.error("bad-account", f"{field}.account", "Numbers of accounts are below 4294967296.")
        if one.account in {"0", "root"} and one.whose == "user" and one.limit is not None:
            message = (
                "Root's own files are counted, but ZFS bounds root as anybody: services may fail by this."
            )
            findings.warning("bounds-root", f"{field}.account", message)
        what = "no limit" if one.limit is None else in_words(one.limit, one.counts)
        findings.info("account", field, f"{_WORDS[one.whose]} {one.account}: {what}")


def _commands(request: SetQuotas) -> Iterator[AnyCommand]:
    if request.limits_bytes:
        values: dict[str, str] = {
            name: "none" if size is None else str(size) for name, size in sorted(request.limits_bytes.items())
        }
        yield ZfsSet(name=request.name, properties=values)
    for one in request.accounts:
        yield ZfsSetQuota(
            name=request.name,
            whose=one.whose,
            account=one.account,
            objects=one.counts == "objects",
            limit=one.limit,
        )
