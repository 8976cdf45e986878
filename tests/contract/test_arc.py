"""How large ZFS's cache may be: what ZFS takes, what it ignores without a word, and what is kept.

That a start uses what is kept is tried in the lab's drill (`test_drill`).
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from host.base import CommandFailed, Host
from host.commands.system.arc import (
    Bound,
    CheckArcBound,
    PlaceArcBounds,
    RemoveArcBounds,
    SetArcBound,
    StageArcBounds,
)
from host.contents.arc import default_max, default_min
from host.inventory import ArcBounds, ArcLimit
from host.probe.system.arc import read_arc_limit
from tests.contract.bench import read_facts

MIB = 1 << 20


def use(host: Host, bound: Bound, size_bytes: int) -> None:
    host.run(SetArcBound(bound=bound, size_bytes=size_bytes))
    host.run(CheckArcBound(bound=bound, size_bytes=size_bytes))


def live(host: Host) -> ArcBounds:
    found = read_arc_limit(host).live
    assert found is not None
    return found


@pytest.fixture
def before(host: Host) -> Iterator[ArcBounds]:
    """The bounds as ZFS chose them, before and after."""
    found = live(host)
    yield found
    host.run(RemoveArcBounds())
    use(host, "min", 32 * MIB)
    use(host, "max", found.max_bytes)
    use(host, "min", found.min_bytes)
    for bound in ("max", "min"):
        host.run(SetArcBound(bound=bound, size_bytes=0))
    assert read_arc_limit(host) == ArcLimit(live=found)


@pytest.mark.core
def test_zfs_takes_what_is_between_its_own_bounds_and_ignores_the_rest(host: Host, before: ArcBounds) -> None:
    memory = read_facts(host).memory_bytes
    # It chose them by what was free as its module was loaded, a little less than there is now.
    assert 0 <= default_max(memory) - before.max_bytes < 128 * MIB
    assert 0 <= default_min(memory) - before.min_bytes < 4 * MIB
    use(host, "max", 512 * MIB)
    assert live(host) == ArcBounds(max_bytes=512 * MIB, min_bytes=before.min_bytes)

    host.run(SetArcBound(bound="max", size_bytes=64 * MIB))  # below its minimum
    with pytest.raises(CommandFailed):
        host.run(CheckArcBound(bound="max", size_bytes=64 * MIB))
    assert live(host).max_bytes == 512 * MIB
    use(host, "min", 32 * MIB)  # whereupon it takes what was asked before, too
    assert live(host) == ArcBounds(max_bytes=64 * MIB, min_bytes=32 * MIB)

    host.run(SetArcBound(bound="max", size_bytes=2 * memory))
    host.run(SetArcBound(bound="min", size_bytes=512 * MIB))  # above its maximum
    assert live(host) == ArcBounds(max_bytes=64 * MIB, min_bytes=32 * MIB)
    host.run(SetArcBound(bound="max", size_bytes=0))
    assert live(host).max_bytes == 64 * MIB


def test_what_is_kept_is_read_back_and_gone_when_it_is_removed(host: Host, before: ArcBounds) -> None:
    host.run(StageArcBounds(max_bytes=512 * MIB))
    assert read_arc_limit(host) == ArcLimit(live=before)
    host.run(PlaceArcBounds())
    assert read_arc_limit(host) == ArcLimit(live=before, kept=ArcBounds(max_bytes=512 * MIB))
    host.run(StageArcBounds(max_bytes=1024 * MIB, min_bytes=64 * MIB))
    host.run(PlaceArcBounds())
    assert read_arc_limit(host).kept == ArcBounds(max_bytes=1024 * MIB, min_bytes=64 * MIB)
    host.run(RemoveArcBounds())
    assert read_arc_limit(host) == ArcLimit(live=before)
