"""How far the wizard is, from what the machine shows and what was put off."""

from __future__ import annotations

from dataclasses import dataclass

import msgspec
import pytest

from host.boot_pair import boot_pair
from host.inventory import Inventory
from host.inventory.shares import NfsShare, Sharing
from host.simulated import SimulatedHost
from jobs import cache
from machine.first_boot.state import STEPS, FirstBootState, Step
from machine.first_boot.steps import left, next_open, standings
from tests.conftest import refresh
from tests.frontend.conftest import make_tank

replace = msgspec.structs.replace


@dataclass(frozen=True)
class Seen:
    """States by step."""

    states: dict[Step, str]
    left: int
    next: Step | None


def seen(
    inventory: Inventory | None, memory: FirstBootState | None = None, *, notified: bool = False
) -> Seen:
    found = standings(inventory, memory or FirstBootState(), notified=notified)
    assert tuple(one.step for one in found) == STEPS
    return Seen({one.step: one.state for one in found}, left(found), next_open(found))


@pytest.fixture
def bare(simulated: SimulatedHost) -> Inventory:
    """The profile `home` without its second flash drive, called as the image calls it."""
    inventory = cache.current()
    assert inventory is not None
    pair = boot_pair(inventory)
    assert pair is not None
    simulated.pull(pair.halves[1].disk.id)
    refresh()
    found = cache.current()
    assert found is not None
    return replace(found, naming=replace(found.naming, name="nasweb", time_zone="Etc/UTC"))


def test_a_bare_machine_has_everything_before_it_but_the_account(bare: Inventory) -> None:
    assert seen(bare).states == {
        "name": "open",
        "account": "done",
        "boot": "open",
        "network": "open",
        "bays": "open",
        "pool": "open",
        "share": "waits",
        "notifications": "open",
    }
    assert (seen(bare).left, seen(bare).next) == (7, "name")


def test_before_the_first_look_nothing_is_called_done() -> None:
    assert {state for step, state in seen(None).states.items() if step != "account"} == {"open"}


def test_a_whole_pair_is_done_and_a_system_on_one_disk_has_none(simulated: SimulatedHost) -> None:
    inventory = cache.current()
    assert inventory is not None
    assert seen(inventory).states["boot"] == "done"
    assert seen(replace(inventory, arrays=())).states["boot"] == "absent"


def test_a_pair_that_is_being_filled_needs_nobody(simulated: SimulatedHost) -> None:
    inventory = cache.current()
    assert inventory is not None
    arrays = tuple(
        replace(array, members=(array.members[0], replace(array.members[1], state="rebuilding")))
        for array in inventory.arrays
    )
    assert seen(replace(inventory, arrays=arrays)).states["boot"] == "busy"


@pytest.mark.parametrize(
    ("name", "zone", "state"),
    [
        ("nasweb", "Europe/Berlin", "open"),
        ("attic", "Etc/UTC", "open"),
        ("attic", None, "open"),
        ("attic", "Europe/Berlin", "done"),
    ],
)
def test_a_name_and_a_zone_of_ones_own_are_both_wanted(
    bare: Inventory, name: str, zone: str | None, state: str
) -> None:
    named = replace(bare, naming=replace(bare.naming, name=name, time_zone=zone))
    assert seen(named).states["name"] == state


def test_what_is_right_as_it_is_can_be_said_so(bare: Inventory) -> None:
    memory = FirstBootState(decisions={"name": "settled", "network": "settled", "bays": "settled"})
    states = seen(bare, memory).states
    assert [states[step] for step in ("name", "network", "bays")] == ["done"] * 3


def test_a_pool_cannot_be_talked_into_being_there(bare: Inventory) -> None:
    assert seen(bare, FirstBootState(decisions={"pool": "settled"})).states["pool"] == "open"


def test_the_bays_are_done_when_every_disk_but_the_boot_pairs_is_known_to_sit_somewhere(
    bare: Inventory,
) -> None:
    guessed = tuple(replace(bay, known_by="order") for bay in bare.bays)
    sure = tuple(replace(bay, known_by="path") for bay in bare.bays)
    assert seen(replace(bare, bays=guessed)).states["bays"] == "open"
    one_away = tuple(replace(bay, disk=None) if bay.label == "A6" else bay for bay in sure)
    assert seen(replace(bare, bays=one_away)).states["bays"] == "open"
    assert seen(replace(bare, bays=sure)).states["bays"] == "done"


def test_what_is_put_off_is_not_left_and_not_gone_to(bare: Inventory) -> None:
    found = seen(bare, FirstBootState(decisions={"name": "later", "boot": "later"}))
    assert (found.states["name"], found.left, found.next) == ("later", 5, "network")


def test_a_share_is_put_off_with_its_pool(bare: Inventory) -> None:
    assert seen(bare, FirstBootState(decisions={"pool": "later"})).states["share"] == "later"


def test_what_was_put_off_and_then_done_is_done(bare: Inventory) -> None:
    memory = FirstBootState(decisions={"notifications": "later"})
    assert seen(bare, memory, notified=True).states["notifications"] == "done"


def test_with_a_pool_the_share_is_next_and_then_done(browser: object, simulated: SimulatedHost) -> None:
    make_tank(browser)  # type: ignore[arg-type]
    inventory = cache.current()
    assert inventory is not None
    assert (seen(inventory).states["pool"], seen(inventory).states["share"]) == ("done", "open")
    shared = replace(inventory, sharing=Sharing(nfs=(NfsShare(id=1, guid="1", dataset="tank"),)))
    assert seen(shared).states["share"] == "done"


def test_the_step_behind_comes_before_the_first_of_all(bare: Inventory) -> None:
    found = standings(bare, FirstBootState(), notified=False)
    assert next_open(found, "network") == "bays"
    assert next_open(found, "notifications") == "name"
