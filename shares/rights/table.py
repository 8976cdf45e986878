"""The rights of a folder for whoever asks: what is granted, and what that comes to for each and why."""

from __future__ import annotations

import msgspec

from host.files import acl
from host.files.answers import Applied
from host.inventory import Accounts
from host.inventory.people import EVERYBODY
from shares.rights.effective import Right, effective, member_of
from shares.rights.presets import Choice, granted_by
from shares.rights.reporting import rights_of_people
from shares.rights.see import RightsFound


class Whose(msgspec.Struct, frozen=True, kw_only=True):
    """A person, or a group (with a leading @): what the list grants them by name, and what they may do.

    For a group that is what a member may do who has no entry of their own and is in no other group.
    """

    name: str
    granted: Choice
    effective: Right


class RightsAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """The rights of a folder. `access` and `default` in the form of getfacl, with numbers.

    `inherits`: whether new files and folders begin with the same rights. `foreign` counts entries of accounts
    that are no people or groups of the shares. `objects`: files and folders of the dataset; null where
    unknown. `run`: the last time that rights were set on all that lies in the folder.
    """

    dataset: str
    folder: str
    owner: str
    group: str
    access: tuple[str, ...]
    default: tuple[str, ...]
    read: tuple[str, ...]
    write: tuple[str, ...]
    everyone: Choice
    inherits: bool
    foreign: int
    people: tuple[Whose, ...]
    groups: tuple[Whose, ...]
    objects: int | None
    run: Applied | None


def rights_answer(dataset: str, folder: str, found: RightsFound, accounts: Accounts) -> RightsAnswer:
    """All of it, from what the machine reported and the accounts that are known."""
    rights = found.rights
    listed = acl.parse(rights.access)
    granted = granted_by(listed, rights.group, accounts)
    by_name: dict[str, Choice] = dict.fromkeys(granted.read, "read")
    by_name |= dict.fromkeys(granted.write, "write")
    users = {number: name for name, number in accounts.uids.items()}
    groups = {number: name for name, number in accounts.gids.items()}
    known_users = {one.uid for one in accounts.people}
    known_groups = {one.gid for one in accounts.groups}
    foreign = sum(one.number not in known_users for one in listed.users)
    foreign += sum(one.number not in known_groups for one in listed.groups)
    return RightsAnswer(
        dataset=dataset,
        folder=folder,
        owner=users.get(rights.owner, str(rights.owner)),
        group=groups.get(rights.group, str(rights.group)),
        access=acl.lines(listed),
        default=acl.lines(acl.parse(rights.default)) if rights.default else (),
        read=granted.read,
        write=granted.write,
        everyone=granted.everyone,
        inherits=rights.default == rights.access,
        foreign=foreign,
        people=tuple(
            Whose(name=name, granted=by_name.get(name, "none"), effective=right)
            for name, right in rights_of_people(rights, accounts).items()
        ),
        groups=tuple(
            Whose(
                name=f"@{one.name}",
                granted=by_name.get(f"@{one.name}", "none"),
                effective=effective(rights, f"A member of {one.name}", member_of(one, accounts), groups),
            )
            for one in accounts.groups
            if one.name != EVERYBODY
        ),
        objects=found.objects,
        run=found.run,
    )
