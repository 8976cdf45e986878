"""When a run deletes nothing before somebody has looked: what no clock and no edit by hand should do alone.

A run deletes about as many as it takes. Many more at once mean that something is other than it was: the
policy was made smaller by hand, the clock is wrong, or deleting was put off for long. Each of them is worth a
look; the plan of `policy.prune` shows what would go, and a person confirms it.
"""

from __future__ import annotations

FEW = 12  # a dataset loses so many at once whatever its share: one in each tier, and some made up for
LARGEST_SHARE = 0.34


def too_many(count: int, *, of: int) -> bool:
    """Whether `count` snapshots of the `of` that policies took of one dataset are too many for one run."""
    return count > FEW and count > LARGEST_SHARE * of
