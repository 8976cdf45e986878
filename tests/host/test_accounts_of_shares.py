"""Root changes people and groups of the shares alone, whoever asks (`host.accounts`)."""

from __future__ import annotations

import pytest

from host.accounts import refusal
from host.base import CommandFailed
from host.commands.base import Command
from host.commands.closed import AnyCommand
from host.commands.shares import accounts
from host.commands.shares.accounts import (
    AddGroup,
    AddPerson,
    ChangePerson,
    DisableInSamba,
    EnableInSamba,
    JoinGroup,
    LeaveGroup,
    RemoveFromSamba,
    RemoveGroup,
    RemovePerson,
    SambaMark,
    SetMembers,
    SetSambaExpiry,
    SetSambaPassword,
)
from host.local import LocalHost

SECRET = "secret:" + "0" * 32
UIDS = {"anna": 30_000, "ben": 34_999, "root": 0, "admin": 1000, "nasweb-worker": 998, "later": 35_000}
GIDS = {"family": 35_000, "shadow": 42, "sudo": 27, "nasweb-people": 29_999, "docker": 40_000}


def refused(command: Command) -> str | None:
    return refusal(command, uid=UIDS.__getitem__, gid=GIDS.__getitem__)


@pytest.mark.parametrize("name", ["root", "admin", "nasweb-worker", "later"])
def test_an_account_of_the_system_is_not_touched(name: str) -> None:
    for command in (
        SetSambaPassword(name=name, secret=SECRET), EnableInSamba(name=name), DisableInSamba(name=name),
        RemoveFromSamba(name=name), SetSambaExpiry(name=name), ChangePerson(name=name, full_name="x"),
        RemovePerson(name=name), JoinGroup(group="family", person=name),
        LeaveGroup(group="family", person=name), SetMembers(group="family", members=("anna", name)),
    ):  # fmt: skip
        assert refused(command) == f"{name} is none of the shares' people and groups.\n"


@pytest.mark.parametrize("name", ["shadow", "sudo", "nasweb-people", "docker"])
def test_a_group_of_the_system_is_not_touched(name: str) -> None:
    for command in (
        JoinGroup(group=name, person="anna"), LeaveGroup(group=name, person="anna"), SetMembers(group=name),
        RemoveGroup(name=name), AddPerson(name="new", uid=30_001, groups=("family", name)),
    ):  # fmt: skip
        assert refused(command) == f"{name} is none of the shares' people and groups.\n"


def test_those_of_the_shares_are_and_who_is_not_there_is_left_to_the_program() -> None:
    for command in (
        SetSambaPassword(name="anna", secret=SECRET), RemovePerson(name="ben"), RemovePerson(name="gone"),
        SetMembers(group="family", members=("anna", "ben")), AddGroup(name="new", gid=35_001),
        AddPerson(name="new", uid=30_001, groups=("family",)), SambaMark(),
    ):  # fmt: skip
        assert refused(command) is None


def test_each_command_that_names_an_account_says_so() -> None:
    for one in AnyCommand.__args__:
        if one.__module__ != accounts.__name__ or one.reads:
            continue
        fields = {"name", "person", "group", "groups", "members"} & set(one.__struct_fields__)
        own = {"people", "groups_named"} & vars(one).keys()
        assert (bool(own) or one is AddGroup) and fields, one


def test_this_machine_starts_no_such_command() -> None:
    with pytest.raises(CommandFailed, match="root is none of the shares"):
        LocalHost().run(DisableInSamba(name="root"))
