"""The numbers that new people and groups get. A plan claims its number, so that no two get it."""

from __future__ import annotations

from host.inventory import Accounts
from host.inventory.people import FIRST_GROUP, FIRST_PERSON, LAST_GROUP, LAST_PERSON
from jobs.planning.findings import Findings


def next_uid(accounts: Accounts, findings: Findings) -> int:
    """The number of the next person. Raises `Refused` where all are taken."""
    taken = set(accounts.uids.values())
    return _next(FIRST_PERSON, LAST_PERSON, taken, accounts.highest_uid, "people", findings)


def next_gid(accounts: Accounts, findings: Findings) -> int:
    """The number of the next group. Raises `Refused` where all are taken."""
    taken = set(accounts.gids.values())
    return _next(FIRST_GROUP, LAST_GROUP, taken, accounts.highest_gid, "groups", findings)


def _next(first: int, last: int, all_taken: set[int], given: int, what: str, findings: Findings) -> int:
    """The one above the highest that was ever given; those below only after the last: files of who was
    deleted keep the number, and would belong to whoever got it next."""
    taken = {number for number in all_taken if first <= number <= last}
    highest = max(taken | {given, first - 1})
    numbers = (*range(highest + 1, last + 1), *range(first, last + 1))
    found: int | None = next((number for number in numbers if number not in taken), None)
    if found is None:
        findings.refuse("no-number", "name", f"There are {len(taken)} {what} already. Delete some first.")
    return found
