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
from jobs.planning.words import sentences
from jobs.wording import counted, listed
from pools.quotas.limits import LIMITS, Limit, check_limits, in_words

Bytes = Annotated[int, Meta(ge=1, le=1 << 62)]
_ACCOUNT = r"\A[A-Za-z0-9_][A-Za-z0-9_.\-]*\$?\Z"
_WORDS = {"user": "user", "group": "group", "project": "project"}
_MOST_NAMED = 3  # accounts of which the summary tells each
_SET: dict[Limit, str] = {
    "quota": "may take at most {size} with its snapshots and everything below it",
    "refquota": "may take at most {size} for its own files",
    "reservation": "has {size} of {pool} reserved for itself and everything below it",
    "refreservation": "has {size} of {pool} reserved for its own files",
}


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
        findings.error("nothing", "limits_bytes", "Nothing to change.")
    check_limits(dataset, request.limits_bytes, inventory, findings)
    _check_accounts(request, dataset, findings)
    findings.refuse_on_error()
    return Plan(
        operation="dataset.quota",
        steps=(Step(title=f"Change quotas of {dataset.name}", commands=tuple(_commands(request))),),
        summary=_summary(request, dataset),
        findings=findings.all(),
        claims=(f"dataset:{dataset.name}",),
    )


def _summary(request: SetQuotas, dataset: Dataset) -> str:
    limits = [(name, request.limits_bytes[name]) for name in LIMITS if name in request.limits_bytes]
    said = [
        _SET[name].format(size=in_words(size), pool=dataset.pool) if size else f"has no {name} any more"
        for name, size in limits
    ]
    bound = any(size for name, size in limits if name in {"quota", "refquota"})
    bound = bound or any(one.limit is not None for one in request.accounts)
    return sentences(
        f"{dataset.name} {listed(said)}; it uses {in_words(dataset.number('used'))} now." if said else "",
        _accounts(request),
        "Writes beyond a limit fail until something is deleted." if bound else "",
    )


def _accounts(request: SetQuotas) -> str:
    if len(request.accounts) > _MOST_NAMED:
        lifted = sum(one.limit is None for one in request.accounts)
        many = {"get a limit of their own": len(request.accounts) - lifted, "lose theirs": lifted}
        said = [f"{counted(count, 'account')} {what}" for what, count in many.items() if count]
        return f"In {request.name}, {listed(said)}."
    said = [
        f"the {_WORDS[one.whose]} {one.account} "
        + (
            "has no limit any more"
            if one.limit is None
            else f"may store at most {in_words(one.limit, one.counts)}"
        )
        for one in request.accounts
    ]
    return f"In {request.name}, {listed(said)}." if said else ""


def _check_accounts(request: SetQuotas, dataset: Dataset, findings: Findings) -> None:
    if request.accounts and dataset.kind == "volume":
        findings.error("is-volume", "accounts", "A volume holds no files, so it has no quotas of users.")
    if request.accounts and dataset.value("keystatus") == "unavailable":
        findings.error("locked", "accounts", f"{dataset.name} is locked. Unlock it first.")
    seen: set[tuple[str, str, str]] = set()
    for index, one in enumerate(request.accounts):
        field = f"accounts[{index}]"
        key = (one.whose, one.account, one.counts)
        if key in seen:
            findings.error("twice", field, f"The {_WORDS[one.whose]} {one.account} is given twice.")
        seen.add(key)
        if one.whose == "project" and not one.account.isdecimal():
            findings.error("bad-account", f"{field}.account", "Projects have numbers, not names.")
        if one.account.isdecimal() and int(one.account) >= 1 << 32:
            findings.error("bad-account", f"{field}.account", "Account numbers are below 4294967296.")
        if one.account in {"0", "root"} and one.whose == "user" and one.limit is not None:
            message = (
                "Root's files count too, and ZFS limits root like anyone else: services may fail because "
                "of this."
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
