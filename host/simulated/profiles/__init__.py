"""The machines that can be simulated, by name."""

from __future__ import annotations

import re

from host.simulated.profiles import flash, home, rack, shelf, single
from host.simulated.state import Machine

NAMES = ("home", "rack24", "shelf12", "flash4", "single")
_MOST_BAYS = 400


def build(profile: str) -> Machine:
    """A fresh machine: a name of `NAMES`, or `rack` with another number of bays. Raises ValueError."""
    if profile == "home":
        return home.build()
    if profile == "shelf12":
        return shelf.build()
    if profile == "flash4":
        return flash.build()
    if profile == "single":
        return single.build()
    found = re.fullmatch(r"rack([1-9][0-9]{0,2})", profile)
    if found is None or int(found[1]) > _MOST_BAYS:
        raise ValueError(f"There is no simulated machine “{profile}”. Known are {', '.join(NAMES)}.")
    return rack.build(int(found[1]))
