"""People and groups of the shares: accounts of the system, and what Samba knows of them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from datetime import date
from itertools import pairwise

import pytest

from host.base import CommandFailed, Host, Result
from host.commands.base import Command
from host.commands.facts import ReadFact
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
    SambaAccounts,
    SambaMark,
    SetMembers,
    SetSambaExpiry,
    SetSambaPassword,
)
from host.inventory import Accounts, Person
from host.inventory.people import EVERYBODY, EVERYBODY_GID, LAST_GROUP, LAST_PERSON
from host.probe.shares.people import People, SambaAccount, parse_accounts, parse_pdbedit, read_accounts
from tests.contract.secrets import OTHER_PASSWORD, PASSWORD, reference

ANNA, BERT, NOBODY_AT_ALL = "contract_anna", "contract-bert", "contract_nobody"
KIN, CREW = "contract_kin", "contract-crew"
ANNAS_UID, BERTS_UID = LAST_PERSON, LAST_PERSON - 1
KINS_GID, CREWS_GID = LAST_GROUP, LAST_GROUP - 1


pytestmark = pytest.mark.user_space


@pytest.fixture
def nas(host: Host) -> Iterator[Host]:
    """The machine, with none of these people before and after."""
    _clean(host)
    yield host
    _clean(host)


@pytest.fixture
def anna(nas: Host) -> Host:
    """The machine with one person, whom Samba does not know."""
    nas.run(AddPerson(name=ANNA, uid=ANNAS_UID, full_name="Anna Ä. O'Neil & (Co)"))
    return nas


@pytest.fixture
def known(anna: Host) -> Host:
    """The machine with one person, whom Samba knows."""
    anna.run(SetSambaPassword(name=ANNA, secret=reference(PASSWORD)))
    return anna


def _clean(host: Host) -> None:
    for name in (ANNA, BERT):
        for command in (RemoveFromSamba(name=name), RemovePerson(name=name)):
            with suppress(CommandFailed):
                host.run(command)
    for group in (KIN, CREW):
        with suppress(CommandFailed):
            host.run(RemoveGroup(name=group))


def accounts_now(host: Host) -> Accounts:
    return read_accounts(host, People())


def person(host: Host, name: str = ANNA) -> Person:
    found = accounts_now(host).person(name)
    assert found is not None
    return found


def samba(host: Host, name: str = ANNA) -> SambaAccount | None:
    return parse_pdbedit(host.run(SambaAccounts()).stdout).get(name)


def refuse(host: Host, command: Command) -> Result:
    with pytest.raises(CommandFailed) as failure:
        host.run(command)
    return failure.value.result


def test_the_group_of_all_people_is_there(nas: Host) -> None:
    assert accounts_now(nas).gids[EVERYBODY] == EVERYBODY_GID


def test_a_person_is_an_account_without_shell_and_home(anna: Host) -> None:
    assert person(anna) == Person(name=ANNA, uid=ANNAS_UID, full_name="Anna Ä. O'Neil & (Co)")
    row = next(
        line
        for line in anna.run(ReadFact(path="/etc/passwd")).stdout.splitlines()
        if line.startswith(f"{ANNA}:")
    )
    assert row == (
        f"{ANNA}:x:{ANNAS_UID}:{EVERYBODY_GID}:Anna Ä. O'Neil & (Co):/nonexistent:/usr/sbin/nologin"
    )


def test_a_name_and_a_number_are_given_once(anna: Host) -> None:
    taken = refuse(anna, AddPerson(name=ANNA, uid=BERTS_UID))
    assert (taken.exit, taken.stderr) == (9, f"useradd: user '{ANNA}' already exists\n")
    taken = refuse(anna, AddPerson(name=BERT, uid=ANNAS_UID))
    assert (taken.exit, taken.stderr) == (4, f"useradd: UID {ANNAS_UID} is not unique\n")
    taken = refuse(anna, AddPerson(name="root", uid=BERTS_UID))
    assert taken.exit == 9


def test_a_person_begins_in_groups_that_are_there(nas: Host) -> None:
    nas.run(AddGroup(name=KIN, gid=KINS_GID))
    nas.run(AddGroup(name=CREW, gid=CREWS_GID))
    nas.run(AddPerson(name=BERT, uid=BERTS_UID, groups=(KIN, CREW)))
    assert person(nas, BERT).groups == (CREW, KIN)
    unknown = refuse(nas, AddPerson(name=ANNA, uid=ANNAS_UID, groups=(KIN, "contract_none")))
    assert (unknown.exit, unknown.stderr) == (6, "useradd: group 'contract_none' does not exist\n")
    assert accounts_now(nas).person(ANNA) is None


def test_a_full_name_is_changed_and_emptied(anna: Host) -> None:
    anna.run(ChangePerson(name=ANNA, full_name="Anna B."))
    assert person(anna).full_name == "Anna B."
    anna.run(ChangePerson(name=ANNA, full_name=""))
    assert person(anna).full_name == ""
    unknown = refuse(anna, ChangePerson(name=NOBODY_AT_ALL, full_name="x"))
    assert (unknown.exit, unknown.stderr) == (6, f"usermod: user '{NOBODY_AT_ALL}' does not exist\n")


def test_who_is_removed_leaves_all_groups(anna: Host) -> None:
    anna.run(AddGroup(name=KIN, gid=KINS_GID))
    anna.run(JoinGroup(group=KIN, person=ANNA))
    anna.run(RemovePerson(name=ANNA))
    found = accounts_now(anna)
    kin = found.group(KIN)
    assert (found.person(ANNA), kin.members if kin else None) == (None, ())
    unknown = refuse(anna, RemovePerson(name=ANNA))
    assert (unknown.exit, unknown.stderr) == (6, f"userdel: user '{ANNA}' does not exist\n")


def test_a_group_and_its_number_are_given_once(nas: Host) -> None:
    nas.run(AddGroup(name=KIN, gid=KINS_GID))
    taken = refuse(nas, AddGroup(name=KIN, gid=CREWS_GID))
    assert (taken.exit, taken.stderr) == (9, f"groupadd: group '{KIN}' already exists\n")
    taken = refuse(nas, AddGroup(name=CREW, gid=KINS_GID))
    assert (taken.exit, taken.stderr) == (4, f"groupadd: GID '{KINS_GID}' already exists\n")
    nas.run(RemoveGroup(name=KIN))
    assert accounts_now(nas).group(KIN) is None
    unknown = refuse(nas, RemoveGroup(name=KIN))
    assert (unknown.exit, unknown.stderr) == (6, f"groupdel: group '{KIN}' does not exist\n")


def test_accounts_and_groups_of_the_system_are_none_of_the_shares(anna: Host) -> None:
    for name, command in (
        (EVERYBODY, RemoveGroup(name=EVERYBODY)),
        (EVERYBODY, JoinGroup(group=EVERYBODY, person=ANNA)),
        ("root", RemovePerson(name="root")),
        ("nobody", JoinGroup(group=KIN, person="nobody")),
    ):
        refused = refuse(anna, command)
        assert (refused.exit, refused.stderr) == (
            1, f"{name} is none of the shares' people and groups.\n",
        )  # fmt: skip


def test_membership_begins_and_ends(anna: Host) -> None:
    anna.run(AddGroup(name=KIN, gid=KINS_GID))
    for _ in range(2):
        anna.run(JoinGroup(group=KIN, person=ANNA))
        assert person(anna).groups == (KIN,)
    anna.run(LeaveGroup(group=KIN, person=ANNA))
    assert person(anna).groups == ()
    again = refuse(anna, LeaveGroup(group=KIN, person=ANNA))
    assert (again.exit, again.stderr) == (3, f"gpasswd: user '{ANNA}' is not a member of '{KIN}'\n")
    unknown = refuse(anna, JoinGroup(group=KIN, person=NOBODY_AT_ALL))
    assert (unknown.exit, unknown.stderr) == (3, f"gpasswd: user '{NOBODY_AT_ALL}' does not exist\n")
    nowhere = refuse(anna, JoinGroup(group=CREW, person=ANNA))
    assert (nowhere.exit, nowhere.stderr) == (3, f"gpasswd: group '{CREW}' does not exist in /etc/group\n")


def test_all_members_are_set_at_once(anna: Host) -> None:
    anna.run(AddPerson(name=BERT, uid=BERTS_UID))
    anna.run(AddGroup(name=KIN, gid=KINS_GID))
    for members in ((BERT, ANNA), (ANNA,), ()):
        anna.run(SetMembers(group=KIN, members=members))
        kin = accounts_now(anna).group(KIN)
        assert kin is not None
        assert kin.members == tuple(sorted(members))
    unknown = refuse(anna, SetMembers(group=KIN, members=(ANNA, NOBODY_AT_ALL)))
    assert (unknown.exit, unknown.stderr) == (3, f"gpasswd: user '{NOBODY_AT_ALL}' does not exist\n")


@pytest.mark.core
def test_a_first_password_lets_samba_know_somebody(anna: Host) -> None:
    assert person(anna).samba == "none"
    said = anna.run(SetSambaPassword(name=ANNA, secret=reference(PASSWORD))).stdout
    assert said == f"Added user {ANNA}.\n"
    found = person(anna)
    assert (found.samba, found.expires) == ("enabled", None)


def test_another_password_takes_the_place_of_the_first(known: Host) -> None:
    known.run(SetSambaPassword(name=ANNA, secret=reference(OTHER_PASSWORD)))
    assert person(known).samba == "enabled"


def test_somebody_is_disabled_and_enabled_again(known: Host) -> None:
    assert known.run(DisableInSamba(name=ANNA)).stdout == f"Disabled user {ANNA}.\n"
    assert person(known).samba == "disabled"
    assert known.run(EnableInSamba(name=ANNA)).stdout == f"Enabled user {ANNA}.\n"
    assert person(known).samba == "enabled"


def test_a_password_enables_who_was_disabled(known: Host) -> None:
    known.run(DisableInSamba(name=ANNA))
    known.run(SetSambaPassword(name=ANNA, secret=reference(OTHER_PASSWORD)))
    assert person(known).samba == "enabled"


def test_samba_does_nothing_for_whom_it_does_not_know(anna: Host) -> None:
    no_entry = (1, f"Failed to find entry for user {ANNA}.\n")
    for command in (DisableInSamba(name=ANNA), RemoveFromSamba(name=ANNA)):
        refused = refuse(anna, command)
        assert (refused.exit, refused.stderr) == no_entry
    refused = refuse(anna, EnableInSamba(name=ANNA))
    assert (refused.exit, refused.stderr) == (1, f"Failed to find user {ANNA} in passdb backend.\n")
    refused = refuse(anna, SetSambaExpiry(name=ANNA))
    assert (refused.exit, refused.stderr) == (255, "Username not found!\n")
    unknown = SetSambaPassword(name=NOBODY_AT_ALL, secret=reference(PASSWORD))
    refused = refuse(anna, unknown)
    assert (refused.exit, refused.stderr) == (1, f"Failed to add entry for user {NOBODY_AT_ALL}.\n")


def test_somebody_expires_on_a_day_or_never(known: Host) -> None:
    assert person(known).expires is None  # as Samba makes an account
    for day in (date(2026, 11, 1), date(2036, 2, 6), date(2099, 12, 31)):
        known.run(SetSambaExpiry(name=ANNA, day=day))
        assert person(known).expires == day.isoformat()
    known.run(SetSambaExpiry(name=ANNA))
    assert person(known).expires is None


def test_samba_forgets_somebody(known: Host) -> None:
    assert known.run(RemoveFromSamba(name=ANNA)).stdout == f"Deleted user {ANNA}.\n"
    assert samba(known) is None
    assert person(known).samba == "none"


def test_no_hash_is_printed(known: Host) -> None:
    said = known.run(SambaAccounts()).stdout
    assert f"Unix username:        {ANNA}\n" in said
    assert "hash" not in said.lower()
    report = parse_accounts(known.run(ReadFact(path="/etc/passwd")).stdout, "", parse_pdbedit(said))
    assert [one.samba for one in report.people if one.name == ANNA] == ["enabled"]


def test_samba_marks_its_accounts_with_each_change_and_only_then(known: Host) -> None:
    changes = (
        SetSambaPassword(name=ANNA, secret=reference(OTHER_PASSWORD)),
        DisableInSamba(name=ANNA),
        EnableInSamba(name=ANNA),
        SetSambaExpiry(name=ANNA, day=date(2026, 11, 1)),
        RemoveFromSamba(name=ANNA),
    )
    marks = [known.run(SambaMark()).stdout]
    assert re.fullmatch(r"\d+ \d+\.\d{10}\n", marks[0])
    for change in changes:
        known.run(change)
        marks.append(known.run(SambaMark()).stdout)
        known.run(SambaAccounts())
        assert known.run(SambaMark()).stdout == marks[-1]
    assert all(before != after for before, after in pairwise(marks))
