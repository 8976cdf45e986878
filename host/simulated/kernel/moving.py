"""Counters of a machine on which something happens all the time."""

from __future__ import annotations

import math

from host.simulated.state import Machine


def up(machine: Machine) -> float:
    """Seconds since its start."""
    return max(machine.now() - machine.booted, 0.0)


def swinging(seconds: float, phase: float = 0.0) -> float:
    """The integral of a rate that swings between nothing and twice its mean of 1, so it never goes back."""
    return max(seconds + 60 * (math.sin(seconds / 60 + phase) - math.sin(phase)), 0.0)
