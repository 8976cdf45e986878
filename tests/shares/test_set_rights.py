"""rights.set: who gains and loses, and what is refused before anything is set."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from host.commands.shares.rights import ApplyRights, SetFolderRights, StopApplyingRights
from host.files.answers import Applied, FolderRights
from host.inventory import Accounts, Inventory
from jobs.needs import Needs
from jobs.plan import Plan, Refused
from shares.rights import see, set_rights, stop
from tests import made
from tests.shares.rights_bench import ACCOUNTS, EVERYBODY, folder

NEW = FolderRights(owner=0, group=0, access="user::rwx,group::r-x,other::r-x")
RUNNING = Applied(
    run=see.run_of("tank/home", ""), dataset="tank/home", path="", access="", started_at="", updated_at=""
)


def machine(*, accounts: Accounts = ACCOUNTS, **properties: str) -> Inventory:
    usual = {"mounted": "yes", "acltype": "posix", "readonly": "off", "keystatus": "-"}
    home = made.dataset("tank/home", **(usual | properties))
    return msgspec.structs.replace(
        made.inventory(), datasets=(home, made.dataset("tank/home/inner")), accounts=accounts
    )


def plan(
    rights: FolderRights = NEW, *, run: Applied | None = None, on: Inventory | None = None, **request: Any
) -> Plan:
    report = {set_rights.QUESTION: see.RightsFound(rights=rights, objects=12, run=run)}
    inventory = msgspec.structs.replace(on or machine(), answers=report)
    return set_rights.plan(set_rights.SetRights(**({"dataset": "tank/home"} | request)), inventory)


def codes(refused: pytest.ExceptionInfo[Refused]) -> list[tuple[str, str]]:
    return [(finding.code, finding.field) for finding in refused.value.findings]


def said(made_plan: Plan, code: str) -> list[str]:
    return [finding.message for finding in made_plan.findings if finding.code == code]


def test_the_plan_shows_who_gains_and_who_loses() -> None:
    made_plan = plan(read=("@family",), write=("ada",))
    text = "user::rwx,user:30000:rwx,group::---,group:35000:r-x,mask::rwx,other::---"
    assert [step.commands for step in made_plan.steps] == [
        (SetFolderRights(dataset="tank/home", path="", owner=0, group=EVERYBODY, acl=text),)
    ]
    assert said(made_plan, "gains") == ["ada gains reading and writing; before: reading."]
    assert said(made_plan, "loses") == ["eve loses reading; after: nothing."]
    assert said(made_plan, "acl-removed") == ["− group: root", "− group::r-x", "− other::r-x"]
    assert "+ user:ada:rwx" in said(made_plan, "acl-added")
    assert "+ default:group:family:r-x" in said(made_plan, "acl-added")
    assert made_plan.destroys == ()


def test_a_persons_own_entry_is_reported_where_groups_would_give_more() -> None:
    made_plan = plan(read=("bob",), write=("@family",))
    assert said(made_plan, "own-entry-counts") == [
        "bob is in a group with more access, but only their own entry counts for them."
    ]


def test_files_that_are_there_follow_in_the_background() -> None:
    made_plan = plan(write=("@family",), apply_to_existing=True)
    command = made_plan.steps[1].commands[0]
    assert isinstance(command, ApplyRights)
    assert (command.run, command.dataset, command.path) == (see.run_of("tank/home", ""), "tank/home", "")
    assert "the 12 files and folders" in said(made_plan, "applies")[0]
    assert len(said(made_plan, "others-left-out")) == 1


def test_the_same_rights_are_refused_unless_they_are_for_what_is_there() -> None:
    same = folder("user::rwx,group::r-x,other::---")
    with pytest.raises(Refused) as refused:
        plan(same, read=("@nasweb-people",))
    assert codes(refused) == [("nothing-changes", "")]
    again = plan(same, read=("@nasweb-people",), apply_to_existing=True)
    assert [type(step.commands[0]) for step in again.steps] == [ApplyRights]


def test_names_are_checked_all_at_once() -> None:
    with pytest.raises(Refused) as refused:
        plan(read=("ada", "zoe", "@none", "root"), write=("ada",))
    assert codes(refused) == [
        ("unknown-name", "read[1]"), ("unknown-name", "read[2]"), ("unknown-name", "read[3]"),
        ("twice", "write[0]"),
    ]  # fmt: skip


def test_what_lets_everybody_or_nobody_in_is_warned_of() -> None:
    assert len(said(plan(everyone="write"), "everyone-writes")) == 1
    assert len(said(plan(), "nobody")) == 1


@pytest.mark.parametrize(
    ("properties", "code"),
    [({"acltype": "off"}, "no-acls"), ({"readonly": "on"}, "read-only"), ({"mounted": "no"}, "not-mounted"),
     ({"keystatus": "unavailable"}, "locked")],
)  # fmt: skip
def test_a_dataset_that_cannot_have_rights_is_refused_and_not_asked(
    properties: dict[str, Any], code: str
) -> None:
    on = machine(**properties)
    with pytest.raises(Refused) as refused:
        plan(on=on, everyone="read")
    assert codes(refused) == [(code, "dataset")]
    assert set_rights.needs(set_rights.SetRights(dataset="tank/home"), on) == Needs()


def test_a_folder_never_leads_out() -> None:
    for path in ("../etc", "/etc", "a//b", ".zfs/snapshot"):
        with pytest.raises(Refused) as refused:
            plan(folder=path, everyone="read")
        assert codes(refused) == [("bad-path", "folder")]
        assert set_rights.needs(set_rights.SetRights(dataset="tank/home", folder=path), machine()) == Needs()


def test_unknown_datasets_and_a_missing_group_are_refused() -> None:
    with pytest.raises(Refused) as refused:
        plan(dataset="tank/none")
    assert codes(refused) == [("unknown-dataset", "dataset")]
    without = msgspec.structs.replace(ACCOUNTS, gids={"root": 0})
    with pytest.raises(Refused) as refused:
        plan(on=machine(accounts=without), everyone="read")
    assert ("no-people-group", "dataset") in codes(refused)


def test_two_runs_over_one_folder_are_refused() -> None:
    with pytest.raises(Refused) as refused:
        plan(run=RUNNING, everyone="read", apply_to_existing=True)
    assert ("already-applying", "apply_to_existing") in codes(refused)


def stopping(run: Applied | None) -> Plan:
    report = {set_rights.QUESTION: see.RightsFound(rights=NEW, run=run)}
    return stop.plan(
        stop.StopSettingRights(dataset="tank/home"), msgspec.structs.replace(machine(), answers=report)
    )


def test_only_what_goes_on_is_stopped() -> None:
    assert stopping(RUNNING).steps[0].commands == (StopApplyingRights(run=RUNNING.run),)
    for run, code in ((None, "no-run"), (msgspec.structs.replace(RUNNING, verdict="done"), "has-ended")):
        with pytest.raises(Refused) as refused:
            stopping(run)
        assert codes(refused) == [(code, "folder")]
