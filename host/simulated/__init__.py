"""A NAS that exists only in a file: it answers every command as Debian 13 with OpenZFS 2.3 does."""

from host.simulated.arrays.occupation import OCCUPATIONS, Occupation
from host.simulated.simulator import SimulatedHost

__all__ = ["OCCUPATIONS", "Occupation", "SimulatedHost"]
