"""Which accounts can make files in a dataset, told without asking the machine."""

from __future__ import annotations

import msgspec
import pytest

from host.inventory import Accounts, Inventory, Person
from host.inventory.people import FIRST_PERSON
from pools.files.writers import why_not
from tests import made

HOME = "tank/home"
PEOPLE = (
    Person(name="anna", uid=FIRST_PERSON, samba="enabled"),
    Person(name="bert", uid=FIRST_PERSON + 1, samba="disabled"),
    Person(name="cleo", uid=FIRST_PERSON + 2),
)


def machine(**properties: str) -> Inventory:
    home = made.dataset(HOME, **{"mounted": "yes", **properties})
    inventory = made.inventory(datasets=(home,))
    return msgspec.structs.replace(inventory, accounts=Accounts(people=PEOPLE))


@pytest.mark.parametrize(
    ("account", "code"),
    [
        ("anna", None), ("cleo", None), ("bert", "nas-user-disabled"), ("Anna", "no-nas-user"),
        ("root", "no-nas-user"),
    ],
)  # fmt: skip
def test_the_nas_user_of_the_same_name_counts(account: str, code: str | None) -> None:
    found = why_not(machine(), HOME, account)
    assert (found and found.code) == code


def test_what_cannot_be_written_at_all_is_said_first() -> None:
    for inventory, dataset, code in (
        (machine(), "tank/gone", "unknown-dataset"),
        (machine(readonly="on"), HOME, "read-only"),
        (machine(mounted="no"), HOME, "not-mounted"),
        (machine(keystatus="unavailable"), HOME, "locked"),
    ):
        found = why_not(inventory, dataset, "root")
        assert found is not None and found.code == code
