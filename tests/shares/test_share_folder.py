"""folder.share: a dataset that is there is shared with its folder, or refused before anything is set."""

from __future__ import annotations

from typing import Any, NoReturn

import msgspec
import pytest

from host.commands.shares.rights import SetFolderRights
from host.inventory import Dataset, Inventory
from jobs.plan import Plan, Refused
from shares.share_folder import ShareFolder, plan
from tests import made
from tests.shares.people import machine


def _docs(*, kind: str = "filesystem", **properties: str) -> Dataset:
    usual = {"mounted": "yes", "acltype": "posix", "readonly": "off", "keystatus": "-"}
    return made.dataset("tank/docs", kind=kind, **(usual | properties))


def _none(*_: Any) -> NoReturn:
    raise AssertionError("No dataset is to be made.")


def _planned(docs: Dataset, **request: Any) -> Plan:
    on: Inventory = msgspec.structs.replace(machine(), datasets=(docs,))
    asked = ShareFolder(dataset="tank/docs", name="Docs", write=("anna",), **request)
    return plan(asked, on, new_dataset=_none)


def _sets_rights(made_plan: Plan) -> bool:
    return any(isinstance(one, SetFolderRights) for step in made_plan.steps for one in step.commands)


def test_the_folder_of_a_dataset_gets_the_permissions_of_its_share() -> None:
    assert _sets_rights(_planned(_docs()))


@pytest.mark.parametrize(
    ("properties", "code"),
    [
        ({"acltype": "off"}, "no-acls"),
        ({"readonly": "on"}, "read-only"),
        ({"mounted": "no"}, "not-mounted"),
        ({"mounted": "no", "keystatus": "unavailable"}, "locked"),
    ],
)
def test_where_no_permissions_can_be_set_it_is_shared_without_or_not_at_all(
    properties: dict[str, str], code: str
) -> None:
    with pytest.raises(Refused) as refused:
        _planned(_docs(**properties))
    (error,) = (one for one in refused.value.findings if one.level == "error")
    assert (error.code, error.field) == (code, "dataset")
    assert error.message.endswith("Or share it without setting the folder permissions.")
    assert not _sets_rights(_planned(_docs(**properties), set_rights=False))


def test_a_volume_has_one_fault_alone() -> None:
    with pytest.raises(Refused) as refused:
        _planned(_docs(kind="volume"))
    assert [one.code for one in refused.value.findings if one.level == "error"] == ["is-volume"]
