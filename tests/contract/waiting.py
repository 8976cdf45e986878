"""What comes to hold by itself on the host under test: the end of a run, or of a unit."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from host.base import Host
from host.simulated import SimulatedHost
from tests.contract.bench import PreparingHost

# Each question is a program more for the one emulated processor, which would else do what is waited for.
_PAUSE_S = 1.0


def first_answer[T](
    host: Host, ask: Callable[[], T | None], *, limit_s: float = 600.0, simulated_s: float = 5
) -> T:
    """What `ask` gives once it is not None; simulated time is advanced by hand, `simulated_s` for each try.

    It fails after `limit_s` seconds.
    """
    plain = host.plain if isinstance(host, PreparingHost) else host
    deadline = time.monotonic() + limit_s
    while True:
        if isinstance(plain, SimulatedHost):
            plain.pass_time(simulated_s)
        if (found := ask()) is not None:
            return found
        if time.monotonic() > deadline:
            pytest.fail(f"Waited in vain for {limit_s:.0f} s.")
        if not isinstance(plain, SimulatedHost):
            time.sleep(_PAUSE_S)
