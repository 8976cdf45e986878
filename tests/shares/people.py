"""A machine with people and groups, as a value."""

from __future__ import annotations

from typing import Any

import msgspec

from host.inventory import Accounts, Group, Inventory, Person
from tests import made

SECRET = f"secret:{'a' * 32}"
ANNA = Person(
    name="anna", uid=30_000, full_name="Anna B.", groups=("family", "video"), samba="enabled",
    expires="2027-01-31",
)  # fmt: skip
BERT = Person(name="bert", uid=30_004, groups=("family",), samba="disabled")
CARLA = Person(name="carla", uid=30_002)
FAMILY = Group(name="family", gid=35_000, members=("anna", "backup", "bert"))
CREW = Group(name="crew", gid=35_001)
_UIDS = {"root": 0, "backup": 34, "Debian-exim": 105, "nobody": 65534}
_GIDS = {"root": 0, "users": 100, "video": 44, "nasweb-people": 29_999}


def machine(**changes: Any) -> Inventory:
    """Three people and two groups; `changes` are those of its accounts."""
    people, groups = (ANNA, BERT, CARLA), (CREW, FAMILY)
    accounts = Accounts(
        people=people,
        groups=groups,
        uids=_UIDS | {one.name: one.uid for one in people},
        gids=_GIDS | {one.name: one.gid for one in groups},
    )
    return msgspec.structs.replace(made.inventory(), accounts=msgspec.structs.replace(accounts, **changes))
