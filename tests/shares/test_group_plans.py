"""group.create, group.change and group.delete."""

from __future__ import annotations

from typing import Any

import pytest

from jobs.plan import Plan, Refused
from shares.people import change_group, create_group, delete_group
from tests.shares.people import machine
from tests.shares.test_people_plans import commands, faults, found

NAS = machine()


def create(name: str, *members: str) -> Plan:
    return create_group.plan(create_group.CreateGroup(name=name, members=members), NAS)


def change(name: str, *members: str) -> Plan:
    return change_group.plan(change_group.ChangeGroup(name=name, members=members), NAS)


def test_a_group_is_made_empty_or_filled() -> None:
    assert commands(create("band")) == [("groupadd", "--gid", "35002", "band")]
    plan = create("band", "bert", "anna")
    assert commands(plan)[1:] == [("gpasswd", "--members", "bert,anna", "band")]
    assert [one.shown() for one in plan.steps[0].undo] == [("groupdel", "band")]
    assert plan.claims == ("group:band", "gid:35002", "person:bert", "person:anna")


def test_the_number_of_a_deleted_group_is_not_given_again() -> None:
    nas = machine(highest_gid=35_006)
    plan = create_group.plan(create_group.CreateGroup(name="band"), nas)
    assert commands(plan) == [("groupadd", "--gid", "35007", "band")]


@pytest.mark.parametrize("name", ["users", "everyone", "anna", "family", "Band", "nul"])
def test_a_group_has_a_name_of_its_own(name: str) -> None:
    with pytest.raises(Refused) as refused:
        create(name, "zoe")
    assert {field for _, field in faults(refused)} == {"name", "members[0]"}


def test_members_are_set_at_once_and_accounts_of_the_system_stay() -> None:
    plan = change("family", "carla", "anna")
    assert commands(plan) == [("gpasswd", "--members", "anna,backup,carla", "family")]
    assert found(plan, "info") == {"joins", "leaves", "next-sign-in", "others-stay"}
    assert plan.claims == ("group:family", "person:carla", "person:bert")
    assert commands(change("family")) == [("gpasswd", "--members", "backup", "family")]


@pytest.mark.parametrize(
    ("name", "members", "found"),
    [
        ("family", ("bert", "anna"), {("nothing-changes", "members")}),
        ("family", ("anna", "anna", "zoe"), {("twice", "members[1]"), ("unknown-person", "members[2]")}),
        ("none", (), {("unknown-group", "name")}),
        ("users", (), {("unknown-group", "name")}),
    ],
)
def test_what_cannot_be_changed_is_refused(name: str, members: tuple[str, ...], found: Any) -> None:
    with pytest.raises(Refused) as refused:
        change(name, *members)
    assert faults(refused) == found


def test_deleting_a_group_is_confirmed_by_its_name() -> None:
    plan = delete_group.plan(delete_group.DeleteGroup(name="family"), NAS)
    assert commands(plan) == [("groupdel", "family")]
    assert [(loss.account, loss.holds) for loss in plan.destroys] == [
        ("family", "group, number 35000, with anna, backup, bert in it")
    ]
    assert plan.confirm == "family"
