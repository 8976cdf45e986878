"""zfs userspace and its like, and the quotas that they show, on simulated pools."""

from __future__ import annotations

import re

from host.base import Result
from host.commands.datasets.space import ZfsSetQuota, ZfsSpace
from host.probe.shares.people import account_rows
from host.simulated.datasets.lifecycle import find
from host.simulated.datasets.locks import is_locked
from host.simulated.handlers import on
from host.simulated.people import group, passwd
from host.simulated.refusal import Refusal, done
from host.simulated.state import Dataset, Machine

_KINDS = {"user": "POSIX User", "group": "POSIX Group", "project": "Project"}
_FRESH_OBJECTS, _FRESH_BYTES = 1, 512  # its root folder


def space(machine: Machine, command: ZfsSpace) -> Result:
    """One line for each that owns something or has a quota."""
    pool, dataset = find(machine, command.name)
    if dataset.kind == "volume":
        raise Refusal(f"cannot open '{command.name}': operation not applicable to datasets of this type\n")
    if is_locked(pool, dataset):
        raise Refusal(f"cannot get used/quota for {command.name}: permission denied\n", exit_status=255)
    rows = _rows(dataset, command.whose)
    return done("".join(f"{_KINDS[command.whose]}\t{row}\n" for _, row in sorted(rows)))


def _rows(dataset: Dataset, whose: str) -> list[tuple[int, str]]:
    owned = _owned(dataset, whose)
    bounded = {int(name.partition("@")[2]) for name in dataset.limits if name.startswith(whose)}
    return [
        (number, "\t".join(map(str, (number, owned.get(number, 0), *_limits(dataset, whose, number, owned)))))
        for number in owned.keys() | bounded
    ]


def _limits(dataset: Dataset, whose: str, number: int, owned: dict[int, int]) -> tuple[str, int, str]:
    size = dataset.limits.get(f"{whose}quota@{number}")
    count = dataset.limits.get(f"{whose}objquota@{number}")
    objects = 0 if number not in owned else _FRESH_OBJECTS if number == 0 else 1
    return str(size or 0), objects, str(count or 0)


def _owned(dataset: Dataset, whose: str) -> dict[int, int]:
    found = {
        int(owner.partition(" ")[2]): size
        for owner, size in dataset.owned.items()
        if owner.startswith(f"{whose} ")
    }
    rest = dataset.data + _FRESH_BYTES - sum(found.values())
    return {**found, 0: max(0, rest)}


def _known(machine: Machine, whose: str) -> dict[str, str]:
    """The numbers of the accounts that this machine has, by name."""
    if whose == "project":
        return {}
    rows = account_rows(passwd(machine) if whose == "user" else group(machine))
    return {row.name: str(row.number) for row in rows}


def set_quota(machine: Machine, command: ZfsSetQuota) -> Result:
    """zfs set userquota@… and its like."""
    pool, dataset = find(machine, command.name)
    prop = command.argv()[2].partition("=")[0]
    failing = f"cannot set property for '{command.name}'"
    if dataset.kind == "volume":
        raise Refusal(f"{failing}: dataset is busy\n", exit_status=255)
    if is_locked(pool, dataset):
        raise Refusal(f"{failing}: permission denied\n", exit_status=255)
    known = _known(machine, command.whose)
    account = command.account
    if not re.fullmatch(r"\d+", account) and account not in known:
        raise Refusal(f"{failing}: '{prop}' has an invalid user/group name\n", exit_status=255)
    name = f"{prop.partition('@')[0]}@{known.get(account, account)}"
    dataset.limits.pop(name, None)
    if command.limit is not None:
        dataset.limits[name] = command.limit
    return done()


HANDLERS = on(ZfsSpace, space) | on(ZfsSetQuota, set_quota)
