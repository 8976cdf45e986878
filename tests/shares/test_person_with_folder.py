"""person.create-with-folder: a person, a dataset that only they may use, and its share, in one plan."""

from __future__ import annotations

from typing import Any

import pytest
from rest_framework.test import APIClient

from accounts.models import User
from host.simulated import SimulatedHost
from jobs import cache
from tests.conftest import caller, refresh
from tests.frontend.conftest import make_tank, signed_in
from tests.shares.sharing import did, faults, person

HERE = "/api/v1/shares/personal-folder/"
BERT = {"name": "bert", "password": "correct horse", "folder": "tank/bert"}


@pytest.fixture
def tank(api: APIClient, admin: User) -> APIClient:
    make_tank(signed_in(admin))
    return api


def planned(api: APIClient, **changes: Any) -> Any:
    return api.post(f"{HERE}?dry_run=true", BERT | changes).json()


def test_the_person_comes_first_then_folder_rights_and_share(
    tank: APIClient, simulated: SimulatedHost
) -> None:
    did(tank.post(HERE, BERT))
    refresh()
    inventory = cache.current()
    assert inventory is not None and (found := inventory.accounts.person("bert")) is not None
    assert (found.samba, inventory.dataset("tank/bert") is not None) == ("enabled", True)
    assert simulated.knows_password("bert", "correct horse")
    share = inventory.sharing.smb_share("bert")
    assert share is not None
    assert (share.dataset, share.read, share.write, share.guests) == ("tank/bert", (), ("bert",), "no")
    assert "[bert]\n    path = /mnt/tank/bert\n" in simulated.machine().samba


def test_the_plan_says_in_words_who_gets_what(tank: APIClient) -> None:
    plan = planned(tank)
    assert plan["summary"] == (
        "bert may use shares. The new dataset tank/bert is shared as “bert”: only bert may read and write it."
    )
    commands = [command[0] for step in plan["steps"] for command in step["commands"]]
    assert commands[:4] == ["useradd", "smbpasswd", "pdbedit", "zfs"]
    assert len(set(plan["claims"])) == len(plan["claims"]) if "claims" in plan else True


def test_without_a_password_it_says_that_nobody_can_sign_in_yet(tank: APIClient) -> None:
    plan = tank.post(f"{HERE}?dry_run=true", {"name": "bert", "folder": "tank/bert"}).json()
    assert "but cannot sign in until a password is set" in plan["summary"]


def test_all_that_is_wrong_is_told_at_once(tank: APIClient) -> None:
    person(tank, "anna")
    answer = tank.post(HERE, {"name": "anna", "folder": "tank/none/anna", "groups": ["club"]})
    found = faults(answer)
    assert {field for field, _ in found} == {"name", "groups[0]", "folder"}


def test_it_needs_the_right_to_make_datasets_too(tank: APIClient) -> None:
    operator = User.objects.create_user("half", role="operator")
    answer = caller(operator, "shares:write", "shares:read").post(HERE, BERT)
    assert answer.status_code == 403
