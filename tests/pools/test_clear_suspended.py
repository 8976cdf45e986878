"""Clearing a pool that stands still: what is not here yet is named, whatever ZFS still says of it."""

from __future__ import annotations

import msgspec

from host.inventory import Vdev
from pools.members.clear import ClearPool, plan
from tests import made


def _leaf(number: int, state: str, *, here: bool) -> Vdev:
    path = f"/dev/disk/by-id/{made.disk(number).id}-part1"
    disk = made.disk(number).id if here else None
    return Vdev(guid=str(number), name=path, kind="disk", role="data", state=state, path=path, disk=disk)


def test_a_member_that_left_after_the_pool_stopped_is_still_missing() -> None:
    leaves = (_leaf(1, "ONLINE", here=False), _leaf(2, "REMOVED", here=False), _leaf(3, "ONLINE", here=True))
    top = Vdev(guid="9", name="raidz1-0", kind="raidz", role="data", state="ONLINE", children=leaves)
    pool = made.pool(state="SUSPENDED", vdevs=(top,))
    machine = msgspec.structs.replace(made.inventory(made.disk(3)), pools=(pool,))
    found = plan(ClearPool(name="tank"), machine).findings
    (missing,) = [finding for finding in found if finding.code == "still-missing"]
    assert missing.level == "warning"
    assert all(made.disk(number).id in missing.message for number in (1, 2))
    assert made.disk(3).id not in missing.message
