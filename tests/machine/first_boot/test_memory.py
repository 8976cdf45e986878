"""What the wizard remembers."""

from __future__ import annotations

import pytest

from machine.first_boot import memory
from machine.first_boot.memory import Memory
from machine.models import StepDecision

pytestmark = pytest.mark.django_db


def test_at_first_nothing_is_remembered() -> None:
    assert memory.recall() == Memory()


def test_a_step_that_was_put_off_stays_so_until_it_is_taken_back() -> None:
    memory.decide("pool", "later")
    memory.decide("network", "settled")
    memory.decide("pool", "later")
    assert memory.recall().decisions == {"pool": "later", "network": "settled"}
    memory.decide("pool", None)
    assert memory.recall().decisions == {"network": "settled"}


def test_what_a_later_release_remembered_is_left_alone() -> None:
    StepDecision.objects.create(step="moon", decision="later", at="2026-01-01T00:00:00Z")
    StepDecision.objects.create(step="pool", decision="tomorrow", at="2026-01-01T00:00:00Z")
    assert memory.recall().decisions == {}


def test_it_is_over_when_it_is_finished_or_dismissed_and_opens_again() -> None:
    memory.begin()
    assert memory.recall() == Memory(begun=True)
    memory.dismiss()
    assert memory.recall() == Memory(begun=True, dismissed=True)
    memory.begin()
    assert memory.recall() == Memory(begun=True)
    memory.finish()
    memory.begin()
    assert memory.recall() == Memory(begun=True, finished=True)
    memory.change({"pool": "later"}, finished=False)
    assert memory.recall() == Memory(begun=True, decisions={"pool": "later"})
