"""What the wizard remembers."""

from __future__ import annotations

import pytest

from machine.first_boot import state
from machine.first_boot.state import FirstBootState
from machine.models import StepDecision

pytestmark = pytest.mark.django_db


def test_at_first_nothing_is_remembered() -> None:
    assert state.load() == FirstBootState()


def test_a_step_that_was_put_off_stays_so_until_it_is_taken_back() -> None:
    state.decide("pool", "later")
    state.decide("network", "settled")
    state.decide("pool", "later")
    assert state.load().decisions == {"pool": "later", "network": "settled"}
    state.decide("pool", None)
    assert state.load().decisions == {"network": "settled"}


def test_what_a_later_release_remembered_is_left_alone() -> None:
    StepDecision.objects.create(step="moon", decision="later", at="2026-01-01T00:00:00Z")
    StepDecision.objects.create(step="pool", decision="tomorrow", at="2026-01-01T00:00:00Z")
    assert state.load().decisions == {}


def test_it_is_over_when_it_is_finished_or_dismissed_and_opens_again() -> None:
    state.begin()
    assert state.load() == FirstBootState(begun=True)
    state.dismiss()
    assert state.load() == FirstBootState(begun=True, dismissed=True)
    state.begin()
    assert state.load() == FirstBootState(begun=True)
    state.finish()
    state.begin()
    assert state.load() == FirstBootState(begun=True, finished=True)
    state.change({"pool": "later"}, finished=False)
    assert state.load() == FirstBootState(begun=True, decisions={"pool": "later"})
