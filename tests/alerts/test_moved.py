"""A machine that runs with an old /var and /home says so, why, and what to do."""

from __future__ import annotations

import msgspec
import pytest

from alerts.incidents import moved
from alerts.incidents.cause import Cause
from host.inventory import Inventory, MovedState
from host.probe.whole import probe
from host.simulated import SimulatedHost

FALLBACK = MovedState(
    phase="moved", pool="tank", guid="42", folders=("var", "home"), since="2026-11-02T03:04:05Z",
    why="pool-missing",
)  # fmt: skip


@pytest.fixture(scope="module")
def inventory(tmp_path_factory: pytest.TempPathFactory) -> Inventory:
    return probe(SimulatedHost(tmp_path_factory.mktemp("machine") / "machine.json", "home"))


def found(inventory: Inventory, state: MovedState) -> tuple[Cause, ...]:
    return tuple(moved.causes(msgspec.structs.replace(inventory, moved=state)))


def test_nothing_is_reported_while_it_is_as_it_should_be(inventory: Inventory) -> None:
    assert found(inventory, MovedState()) == ()
    assert found(inventory, msgspec.structs.replace(FALLBACK, here=False, why=None)) == ()
    assert found(inventory, msgspec.structs.replace(FALLBACK, phase="waiting")) == ()


def test_a_start_without_the_pool_is_reported_with_day_reason_and_way_out(
    inventory: Inventory,
) -> None:
    (cause,) = found(inventory, FALLBACK)
    assert (cause.kind, cause.severity) == ("state-elsewhere", "critical")
    assert cause.title == "The system runs with /var and /home from 2026-11-02T03:04:05Z"
    assert "the pool was not imported when the machine started" in cause.details[0]
    assert [step.words.split(",")[0] for step in cause.steps] == ["Put the disks of tank back", "Or"]
    assert cause.steps[1].page == "/boot/state/"


def test_a_move_that_failed_is_reported_with_what_the_program_said(inventory: Inventory) -> None:
    (cause,) = found(
        inventory, msgspec.structs.replace(FALLBACK, phase="failed", said="No space left on device")
    )
    assert (cause.severity, cause.details[0]) == ("warning", "The start reported: No space left on device.")
