"""People, groups and rights for the tests of both."""

from __future__ import annotations

from host.files.answers import FolderRights
from host.inventory import Accounts, Group, Person

EVERYBODY, FAMILY, GUESTS = 3000, 35000, 35001
ADA = Person(name="ada", uid=30000, groups=("family",))
BOB = Person(name="bob", uid=30001, groups=("family", "visitors"))
EVE = Person(name="eve", uid=30002)
ACCOUNTS = Accounts(
    people=(ADA, BOB, EVE),
    groups=(
        Group(name="family", gid=FAMILY, members=("ada", "bob")),
        Group(name="visitors", gid=GUESTS, members=("bob",)),
    ),
    uids={"root": 0, "ada": 30000, "bob": 30001, "eve": 30002},
    gids={"root": 0, "nasweb-people": EVERYBODY, "family": FAMILY, "visitors": GUESTS},
)


def folder(access: str, *, owner: int = 0, group: int = EVERYBODY) -> FolderRights:
    return FolderRights(owner=owner, group=group, access=access, default=access)
