"""What a list comes to: the access check of acl(5), case by case."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from host.files import acl
from host.files.acl import Acl, Named
from host.inventory import Person
from shares.rights.effective import Right, Who, allowed, effective, matching, member_of, person_of
from shares.rights.presets import Granted, granted_by, wanted
from tests.shares.rights_bench import ACCOUNTS, ADA, BOB, EVE, EVERYBODY, FAMILY, folder

NAMES = {number: name for name, number in ACCOUNTS.gids.items()}


def right(person: Person, access: str, *, owner: int = 0, group: int = EVERYBODY) -> Right:
    rights = folder(access, owner=owner, group=group)
    return effective(rights, person.name, person_of(person, ACCOUNTS), NAMES)


@pytest.mark.parametrize(
    ("access", "owner", "level", "because", "why"),
    [
        ("user::r-x,group::rwx,other::rwx", 30000, "read", "owner",
         "ada owns this folder, and as its owner may read."),
        ("user::rwx,user:30000:r-x,group::rwx,group:35000:rwx,mask::rwx,other::rwx", 0, "read", "user",
         "ada may read: that is their own entry, and permissions of groups do not count besides it."),
        ("user::rwx,user:30000:rwx,group::---,mask::r-x,other::---", 0, "read", "user",
         ("ada may read: that is their own entry, and permissions of groups do not count besides it."
          " The mask cuts an entry from rwx to r-x.")),
        ("user::rwx,group::r-x,group:35000:rwx,mask::rwx,other::---", 0, "write", "group",
         "ada may read and write, because family may."),
        ("user::rwx,group::r-x,group:35000:r-x,mask::rwx,other::rwx", 0, "read", "group",
         "ada may read, because nasweb-people and family may."),
        ("user::rwx,group::---,other::rwx", 0, "none", "group",
         "ada has no access: they are in nasweb-people, which counts before everyone else."),
        ("user::rwx,group::--x,other::---", 0, "some", "group",
         "ada has only --x, which is not enough to read or write here, because nasweb-people may."),
    ],
)  # fmt: skip
def test_the_first_entry_that_matches_decides(
    access: str, owner: int, level: str, because: str, why: str
) -> None:
    found = right(ADA, access, owner=owner)
    assert (found.level, found.because, found.why) == (level, because, why)


def test_who_matches_nothing_is_everyone_else() -> None:
    found = right(EVE, "user::rwx,group::rwx,group:35000:rwx,mask::rwx,other::r-x", group=999)
    assert (found.level, found.because) == ("read", "other")
    assert "there is no entry for them" in found.why


def test_bits_of_two_groups_do_not_add_up() -> None:
    # acl(5): one entry alone has to hold all that is asked for.
    access = "user::rwx,group::---,group:35000:r-x,group:35001:-wx,mask::rwx,other::---"
    entries = matching(acl.parse(access), 0, EVERYBODY, person_of(BOB, ACCOUNTS))
    assert [allowed(entries, want) for want in (4, 2, 5, 3, 6, 7)] == [True, True, True, True, False, False]
    assert right(BOB, access).level == "read"


def test_a_member_has_what_the_group_gives() -> None:
    family = next(one for one in ACCOUNTS.groups if one.name == "family")
    rights = folder("user::rwx,user:30000:rwx,group::---,group:35000:r-x,mask::rwx,other::---")
    found = effective(rights, "A member of family", member_of(family, ACCOUNTS), NAMES)
    assert found.why == "A member of family may read, because family may."


BITS = st.integers(0, 7)
PEOPLE = st.integers(1, 5)


@st.composite
def lists(draw: st.DrawFn) -> Acl:
    users = draw(st.dictionaries(PEOPLE, BITS, max_size=3))
    groups = draw(st.dictionaries(PEOPLE, BITS, max_size=3))
    return Acl(
        owner=draw(BITS), group=draw(BITS), other=draw(BITS),
        users=tuple(Named(*one) for one in sorted(users.items())),
        groups=tuple(Named(*one) for one in sorted(groups.items())),
        mask=draw(BITS) if users or groups else draw(st.none() | BITS),
    )  # fmt: skip


def kernel(listed: Acl, owner: int, group: int, who: Who, want: int) -> bool:
    """posix_acl_permission() of Linux, entry by entry in the order of the list."""
    entries = [("owner", owner, listed.owner), *(("user", *one) for one in listed.users)]
    entries += [("gobj", group, listed.group), *(("group", *one) for one in listed.groups)]
    found = False
    for kind, number, bits in entries:
        if kind == "owner":
            if who.uid == number:
                return bits & want == want
        elif kind == "user":
            if who.uid == number:
                return listed.masked(bits) & want == want
        elif number in who.gids:
            found = True
            if bits & want == want:
                return listed.masked(bits) & want == want
    return not found and listed.other & want == want


@given(lists(), PEOPLE, PEOPLE, PEOPLE, st.frozensets(PEOPLE), BITS)
def test_the_check_is_that_of_the_kernel(
    listed: Acl, owner: int, group: int, uid: int, gids: frozenset[int], want: int
) -> None:
    who = Who(uid, gids)
    assert allowed(matching(listed, owner, group, who), want) == kernel(listed, owner, group, who, want)


NAMED = st.sampled_from(["ada", "bob", "eve", "@family", "@visitors"])


@given(st.dictionaries(NAMED, st.sampled_from(["read", "write"])), st.sampled_from(["none", "read", "write"]))
def test_what_is_granted_is_read_back(named: dict[str, str], everyone: str) -> None:
    read = tuple(sorted(name for name, level in named.items() if level == "read"))
    write = tuple(sorted(name for name, level in named.items() if level == "write"))
    granted = Granted(read=read, write=write, everyone=everyone)  # type: ignore[arg-type]
    listed = wanted(granted, ACCOUNTS)
    assert acl.parse(acl.text(listed)) == listed
    back = granted_by(listed, EVERYBODY, ACCOUNTS)
    assert (tuple(sorted(back.read)), tuple(sorted(back.write)), back.everyone) == (read, write, everyone)


def test_everybody_of_the_people_is_the_folders_own_group() -> None:
    listed = wanted(Granted(read=("@nasweb-people",), write=("@family",)), ACCOUNTS)
    assert acl.text(listed) == f"user::rwx,group::r-x,group:{FAMILY}:rwx,mask::rwx,other::---"
    assert granted_by(listed, EVERYBODY, ACCOUNTS).read == ("@nasweb-people",)
