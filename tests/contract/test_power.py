"""A restart and a shutdown are ordered and taken back; the machine of the contract stays on.

That it really restarts and turns itself off is tried in the lab's drills (`test_drill`, `test_power`).
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from host.base import CommandFailed, Host
from host.commands.system.power import CancelPower, PowerOffSoon, PowerOrder, RestartSoon
from host.probe.system.power import read_power_order

ORDERS: tuple[tuple[RestartSoon | PowerOffSoon, PowerOrder], ...] = (
    (RestartSoon(), "restart"),
    (PowerOffSoon(), "shut down"),
)


@pytest.fixture
def calm(host: Host) -> Iterator[Host]:
    """A machine that nothing is ordered of, and whatever is ordered is taken back at once."""
    host.run(CancelPower())
    assert read_power_order(host) is None
    try:
        yield host
    finally:
        host.run(CancelPower())


@pytest.mark.core
@pytest.mark.user_space
@pytest.mark.parametrize(("command", "order"), ORDERS)
def test_an_order_is_reported_until_it_is_taken_back(
    calm: Host, command: RestartSoon | PowerOffSoon, order: PowerOrder
) -> None:
    try:
        calm.run(command)
        assert read_power_order(calm) == order
    finally:
        calm.run(CancelPower())
    assert read_power_order(calm) is None
    calm.run(CancelPower())  # there is nothing left to take back, and that is no failure


@pytest.mark.user_space
def test_a_second_order_is_refused(calm: Host) -> None:
    try:
        calm.run(RestartSoon())
        with pytest.raises(CommandFailed, match="already loaded"):
            calm.run(PowerOffSoon())
        assert read_power_order(calm) == "restart"
    finally:
        calm.run(CancelPower())
    assert read_power_order(calm) is None
