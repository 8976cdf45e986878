"""Switching to what was written anew: cut off anywhere, ended then, and what would not fit."""

from __future__ import annotations

import pytest
from rest_framework.test import APIClient

from host.commands.closed import AnyCommand
from host.commands.datasets.datasets import ZfsRename
from host.commands.datasets.zfs import ZfsSet
from host.simulated import SimulatedHost
from jobs.api.views import inventory_now
from jobs.operation import operation
from replication.models import RewriteRow
from replication.rewrites.settings import SWITCHING
from replication.rewrites.switch import SwitchRewrite
from tests.api.test_replications import two
from tests.api.test_rewrites import ONE, properties, renamed, standing, written_anew
from tests.api.test_snapshots import do
from tests.api.test_turning import codes
from tests.conftest import refresh
from tests.prepared import made_once

__all__ = ["two"]
OWN = {"quota": str(5 << 30), "reservation": str(1 << 30), "nasweb:policy": "weekly"}


@pytest.fixture
@made_once
def ready(two: APIClient, simulated: SimulatedHost) -> APIClient:
    """Written anew, and not switched yet; with a quota, a reservation and a policy."""
    simulated.run(ZfsSet(name="tank/photos", properties=OWN))
    refresh()
    written_anew(two, simulated)
    return two


def commands_of(*, back: bool = False) -> list[AnyCommand]:
    plan = operation("dataset.switch-rewrite").plan(
        SwitchRewrite(dataset="tank/photos", back=back), inventory_now()
    )
    return [command for step in plan.steps for command in step.commands]


def cut_off(simulated: SimulatedHost, after: int, *, back: bool = False) -> None:
    """The power fails after so many commands of a switch; counted from the end where negative."""
    commands = commands_of(back=back)
    for command in commands[: after if after > 0 else len(commands) + after]:
        simulated.run(command)
    simulated.pass_time(2)  # a snapshot is named by the second
    refresh()


def used(api: APIClient, name: str = "tank/photos") -> dict[str, object]:
    """What there is of it for those who use it."""
    found = properties(api, name)
    return {key: found.get(key) for key in ("mounted", "readonly", "canmount", *OWN, SWITCHING)}


AS_EVER = {"mounted": True, "readonly": "off", "canmount": "on", SWITCHING: None, **OWN}


@pytest.mark.parametrize("after", [1, 3, 5, 6, 7, 8, 9, -3, -2, -1, 0])
@pytest.mark.parametrize("back", [False, True])
def test_a_switch_that_was_cut_off_is_completed(
    ready: APIClient, simulated: SimulatedHost, after: int, *, back: bool
) -> None:
    guid = properties(ready, "tank/photos.rewritten")["guid"]
    if back:
        guid = properties(ready)["guid"]
        do(ready, "post", f"{ONE}switch/")
        refresh()
    cut_off(simulated, after, back=back)
    do(ready, "post", f"{ONE}switch/", {"back": back})
    refresh()
    assert used(ready) == AS_EVER and properties(ready)["guid"] == guid
    assert properties(ready, "tank/photos/raw")["mounted"] is True
    assert properties(ready, "tank/photos/raw").get(SWITCHING) is None
    assert standing(ready)["stage"] == ("copied" if back else "live")
    do(ready, "delete", ONE)
    refresh()
    assert used(ready) == AS_EVER and RewriteRow.objects.count() == 0


@pytest.mark.parametrize("back", [False, True])
def test_it_is_not_ended_between_two_names(ready: APIClient, simulated: SimulatedHost, *, back: bool) -> None:
    if back:
        do(ready, "post", f"{ONE}switch/")
        refresh()
    cut_off(simulated, -1, back=back)
    answer = ready.delete(ONE)
    assert codes(answer) == {"cut-off": "dataset"}
    assert f"Switch {'back' if back else 'once more'} first" in answer.json()["findings"][0]["message"]


@pytest.mark.parametrize("after", [1, 2, 3, 5, 6, 7])
@pytest.mark.parametrize("back", [False, True])
def test_one_that_was_cut_off_before_is_ended_and_all_is_as_ever(
    ready: APIClient, simulated: SimulatedHost, after: int, *, back: bool
) -> None:
    if back:
        do(ready, "post", f"{ONE}switch/")
        refresh()
    guid = properties(ready)["guid"]
    renamed = [isinstance(one, ZfsRename) for one in commands_of(back=back)].index(True)
    cut_off(simulated, min(after, renamed), back=back)
    do(ready, "delete", ONE)
    refresh()
    assert used(ready) == AS_EVER and properties(ready)["guid"] == guid
    assert properties(ready, "tank/photos/raw")["mounted"] is True
    assert properties(ready, "tank/photos/raw")["nasweb:policy"] == "weekly"


@pytest.mark.parametrize("act", ["switch", "end"])
def test_what_is_read_only_by_somebodys_will_stays_so(
    two: APIClient, simulated: SimulatedHost, act: str
) -> None:
    """Made so after it was begun: at the dataset, and at the one below it by inheritance."""
    written_anew(two, simulated)
    do(two, "patch", "/api/v1/datasets/tank/photos/", {"properties": {"readonly": "on"}})
    do(two, "patch", "/api/v1/datasets/tank/photos/raw/", {"properties": {"canmount": "noauto"}})
    if act == "switch":
        do(two, "post", f"{ONE}switch/")
    else:
        do(two, "delete", ONE)
    refresh()
    found, below = properties(two), properties(two, "tank/photos/raw")
    assert (found["readonly"], found["canmount"], found["mounted"]) == ("on", "on", True)
    assert (below["readonly"], below["canmount"], below["mounted"]) == ("on", "noauto", True)


def test_a_child_that_inherits_read_only_is_no_switch_that_was_cut_off(
    two: APIClient, simulated: SimulatedHost
) -> None:
    do(two, "patch", "/api/v1/datasets/tank/photos/", {"properties": {"readonly": "on"}})
    written_anew(two, simulated)
    plan = two.delete(f"{ONE}?dry_run=true").json()
    assert not [step["title"] for step in plan["steps"] if "used again" in step["title"]]
    do(two, "delete", ONE)


def test_a_copy_that_is_larger_than_the_quota_takes_no_place(
    two: APIClient, simulated: SimulatedHost
) -> None:
    written_anew(two, simulated)
    do(two, "patch", "/api/v1/datasets/tank/photos/", {"properties": {"quota": str(400 << 20)}})
    simulated.write("tank/photos.rewritten", 500 << 20)
    refresh()
    answer = two.post(f"{ONE}switch/", {})
    assert codes(answer) == {"quota-too-small": "dataset"}
    (message,) = [one["message"] for one in answer.json()["findings"]]
    assert message.startswith("tank/photos has a quota of 400 MiB") and "tank/photos.rewritten" in message
    do(two, "patch", "/api/v1/datasets/tank/photos/", {"properties": {"quota": "none"}})
    assert "quota-too-small" not in codes(two.post(f"{ONE}switch/?dry_run=true", {}))


@pytest.mark.parametrize("back", [False, True])
def test_nothing_is_switched_to_that_is_not_there(
    two: APIClient, simulated: SimulatedHost, *, back: bool
) -> None:
    written_anew(two, simulated)
    gone = "tank/photos.rewritten"
    if back:
        do(two, "post", f"{ONE}switch/")
        gone = "tank/photos.before"
    renamed(simulated, gone, "tank/elsewhere")
    answer = two.post(f"{ONE}switch/", {"back": back})
    assert codes(answer) == {"unknown-dataset": "dataset"}
    assert gone in answer.json()["findings"][0]["message"]
    do(two, "delete", ONE)
    refresh()
    assert properties(two)["mounted"] is True


def test_what_is_written_anew_is_destroyed_on_its_page_alone(
    two: APIClient, simulated: SimulatedHost
) -> None:
    written_anew(two, simulated)
    for name in ("tank/photos", "tank/photos.rewritten"):
        answer = two.delete(f"/api/v1/datasets/{name}/", {"recursive": True})
        assert codes(answer)["is-rewritten"] == "name"
    do(two, "post", f"{ONE}switch/")
    refresh()
    answer = two.delete("/api/v1/datasets/tank/photos.before/", {"recursive": True})
    assert codes(answer)["is-rewritten"] == "name"
