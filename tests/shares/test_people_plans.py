"""person.create, person.change, person.password and person.delete."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from host.inventory.people import FIRST_PERSON, LAST_PERSON
from jobs.plan import Plan, Refused
from jobs.planning.shape import faults_of
from shares.people import change_person, create_person, delete_person, set_password
from shares.people.password import Password
from tests.shares.people import SECRET, machine

NAS = machine()
TYPED = Password.__metadata__[0].extra["secret"]  # type: ignore[attr-defined]


def commands(plan: Plan) -> list[tuple[str, ...]]:
    return [command.shown() for step in plan.steps for command in step.commands]


def found(plan: Plan, level: str) -> set[str]:
    return {finding.code for finding in plan.findings if finding.level == level}


def faults(refused: pytest.ExceptionInfo[Refused]) -> set[tuple[str, str]]:
    return {(f.code, f.field) for f in refused.value.findings if f.level == "error"}


def create(name: str = "dora", **more: Any) -> Plan:
    return create_person.plan(create_person.CreatePerson(name=name, **more), NAS)


def change(name: str, **more: Any) -> Plan:
    return change_person.plan(change_person.ChangeOnePerson(name=name, **more), NAS)


def password(name: str, inventory: Any = NAS) -> Plan:
    return set_password.plan(set_password.SetPassword(name=name, password=SECRET), inventory)


def test_a_person_is_made_with_a_password_that_is_nowhere_in_the_plan() -> None:
    plan = create(full_name="Dora", groups=("family", "crew"), password=SECRET)
    account, secret, expiry = commands(plan)
    assert account[:5] == ("useradd", "--uid", "30005", "--gid", "nasweb-people")
    assert account[-5:] == ("--comment", "Dora", "--groups", "family,crew", "dora")
    assert secret == ("smbpasswd", "-s", "-a", "dora", "<<<", "(the password)")
    assert expiry == ("pdbedit", "--modify", "--user=dora", "--kickoff-time=0")
    assert [command.shown() for command in plan.steps[0].undo] == [
        ("smbpasswd", "-x", "dora"), ("userdel", "dora"),
    ]  # fmt: skip
    assert plan.claims == ("person:dora", "uid:30005", "group:family", "group:crew")
    assert SECRET not in str(plan.view())


def test_a_person_can_begin_disabled_and_end_on_a_day() -> None:
    plan = create(password=SECRET, disabled=True, expires=date(2027, 1, 1))
    assert commands(plan)[2:] == [
        ("pdbedit", "--modify", "--user=dora", "--kickoff-time=1798761600"),
        ("smbpasswd", "-d", "dora"),
    ]
    assert found(create(password=SECRET, expires=date(2026, 11, 21)), "warning") == {"expired"}


def test_without_a_password_there_is_only_the_account() -> None:
    plan = create()
    assert [command[0] for command in commands(plan)] == ["useradd"]
    assert (plan.steps[0].undo, found(plan, "info")) == ((), {"no-password", "number"})
    with pytest.raises(Refused) as refused:
        create(disabled=True, expires=date(2027, 1, 1))
    assert faults(refused) == {("no-password", "disabled"), ("no-password", "expires")}


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("", "bad-name"), ("Dora", "bad-name"), ("-dora", "bad-name"), ("1dora", "bad-name"),
        ("d" * 32, "bad-name"), ("dö", "bad-name"), ("do ra", "bad-name"), ("do:ra", "bad-name"),
        ("dora\n", "bad-name"),
        ("con", "reserved-name"), ("lpt1", "reserved-name"), ("guest", "reserved-name"),
        ("everyone", "reserved-name"), ("nobody", "reserved-name"), ("root", "reserved-name"),
        ("homes", "reserved-name"), ("anna", "name-taken"), ("family", "name-taken"),
        ("backup", "name-taken"), ("users", "name-taken"), ("debian-exim", "name-taken"),
        ("nasweb-people", "name-taken"),
    ],
)  # fmt: skip
def test_a_name_that_cannot_be_is_refused(name: str, code: str) -> None:
    with pytest.raises(Refused) as refused:
        create(name)
    assert faults(refused) == {(code, "name")}


def test_all_faults_are_reported_at_once() -> None:
    with pytest.raises(Refused) as refused:
        create(
            "aux",
            full_name="a:b",
            groups=("family", "none", "family", "video"),
            password=SECRET,
            expires=date(2100, 1, 1),
        )
    assert faults(refused) == {
        ("reserved-name", "name"), ("unknown-group", "groups[1]"), ("twice", "groups[2]"),
        ("unknown-group", "groups[3]"), ("bad-day", "expires"),
        ("bad-full-name", "full_name"),
    }  # fmt: skip


def test_a_number_is_the_next_above_the_highest_and_in_the_end_one_that_is_free() -> None:
    def number(uids: dict[str, int]) -> str:
        plan = create_person.plan(create_person.CreatePerson(name="x"), machine(uids=uids))
        return commands(plan)[0][2]

    assert number({}) == str(FIRST_PERSON)
    assert number({"a": FIRST_PERSON + 7, "b": 65_534}) == str(FIRST_PERSON + 8)
    assert number({"a": FIRST_PERSON, "b": LAST_PERSON}) == str(FIRST_PERSON + 1)
    with pytest.raises(Refused) as refused:
        number({str(one): one for one in range(FIRST_PERSON, LAST_PERSON + 1)})
    assert faults(refused) == {("no-number", "name")}


def test_the_number_of_who_was_deleted_is_given_to_nobody_before_all_others_are() -> None:
    def number(highest: int, *taken: int) -> str:
        nas = machine(uids={str(one): one for one in taken}, highest_uid=highest)
        return commands(create_person.plan(create_person.CreatePerson(name="x"), nas))[0][2]

    assert number(FIRST_PERSON + 4, FIRST_PERSON) == str(FIRST_PERSON + 5)
    assert number(LAST_PERSON, FIRST_PERSON) == str(FIRST_PERSON + 1)
    assert number(LAST_PERSON, *range(FIRST_PERSON, LAST_PERSON)) == str(LAST_PERSON)


def test_only_what_differs_is_changed() -> None:
    plan = change(
        "anna", full_name="Anna B.", groups=("crew",), disabled=True, expires=date.fromisoformat("2027-01-31")
    )
    assert commands(plan) == [
        ("gpasswd", "--add", "anna", "crew"),
        ("gpasswd", "--delete", "anna", "family"),
        ("smbpasswd", "-d", "anna"),
    ]
    assert plan.claims == ("person:anna", "group:crew", "group:family")
    assert (found(plan, "warning"), found(plan, "info")) == ({"stays-connected"}, {"next-sign-in"})


def test_a_name_and_the_end_of_the_last_day_change_alone() -> None:
    assert commands(change("anna", full_name="")) == [("usermod", "--comment", "", "anna")]
    assert commands(change("anna", expires=None)) == [
        ("pdbedit", "--modify", "--user=anna", "--kickoff-time=0")
    ]  # fmt: skip
    assert commands(change("bert", disabled=False)) == [("smbpasswd", "-e", "bert")]


@pytest.mark.parametrize(
    "more", [{}, {"full_name": "Anna B."}, {"groups": ("family",)}, {"disabled": False},
             {"expires": date(2027, 1, 31)}]
)  # fmt: skip
def test_nothing_to_change_is_refused(more: dict[str, Any]) -> None:
    with pytest.raises(Refused) as refused:
        change("anna", **more)
    assert faults(refused) == {("nothing-changes", "")}


def test_who_has_no_password_is_neither_disabled_nor_expired() -> None:
    for more in ({"disabled": True}, {"expires": date(2027, 1, 1)}):
        with pytest.raises(Refused) as refused:
            change("carla", **more)
        assert faults(refused) == {("no-password", next(iter(more)))}


def test_nobody_known_is_refused() -> None:
    for plan in (change, password):
        with pytest.raises(Refused) as refused:
            plan("zoe")
        assert faults(refused) == {("unknown-person", "name")}


def test_a_password_leaves_the_rest_as_it_was() -> None:
    secret = ("<<<", "(the password)")
    assert commands(password("anna")) == [("smbpasswd", "-s", "-a", "anna", *secret)]
    assert commands(password("bert"))[1:] == [("smbpasswd", "-d", "bert")]
    assert commands(password("carla"))[1:] == [("pdbedit", "--modify", "--user=carla", "--kickoff-time=0")]


def test_a_machine_without_samba_keeps_no_password() -> None:
    silent = machine(samba_answers=False)
    with pytest.raises(Refused) as refused:
        password("anna", silent)
    assert faults(refused) == {("no-samba", "password")}
    with pytest.raises(Refused) as refused:
        create_person.plan(create_person.CreatePerson(name="dora", password=SECRET), silent)
    assert faults(refused) == {("no-samba", "password")}


def test_deleting_says_what_is_lost_and_what_stays() -> None:
    plan = delete_person.plan(delete_person.DeletePerson(name="anna"), NAS)
    assert commands(plan) == [("smbpasswd", "-x", "anna"), ("userdel", "anna")]
    assert [(loss.account, loss.holds) for loss in plan.destroys] == [
        ("anna", "“Anna B.”, number 30000, with the password, in family, video")
    ]
    assert (plan.confirm, found(plan, "warning")) == ("anna", {"stays-connected"})
    alone = delete_person.plan(delete_person.DeletePerson(name="carla"), NAS)
    assert commands(alone) == [("userdel", "carla")]


@pytest.mark.parametrize("text", ["12345678", "x" * 127, "ä" * 63, "a b'\"$%\\;#", "日本語のパスワード"])
def test_a_password_may_be_what_windows_takes(text: str) -> None:
    assert faults_of(TYPED, text, "password") == ()


@pytest.mark.parametrize(
    "text", ["1234567", "x" * 128, "ä" * 64, "1234567\n", "12345678\n", "123\x00\x7f45678"]
)
def test_a_password_that_samba_would_cut_is_refused(text: str) -> None:
    found = faults_of(TYPED, text, "password")
    assert [(one.field, one.code) for one in found] == [("password", "invalid")]
    assert text not in found[0].message
