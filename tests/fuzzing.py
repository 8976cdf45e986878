"""How many cases hypothesis tries: few and the same ones in each run, many and new ones in `make fuzz`."""

from __future__ import annotations

from hypothesis import settings

USUAL, MANY = 40, 2000

# Judged by their values alone: a busy machine is slow, not wrong.
settings.register_profile("nasweb", deadline=None, derandomize=True, database=None, max_examples=USUAL)
settings.register_profile("fuzz", deadline=None, derandomize=False, print_blob=True, max_examples=MANY)
settings.load_profile("nasweb")


def tries(usual: int) -> settings:
    """So many cases in each run where `USUAL` would not do, and in the same measure more in `make fuzz`."""
    tried = settings().max_examples
    return settings(max_examples=max(1, usual * tried // USUAL))
