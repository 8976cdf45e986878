"""What the snapshots of policies are called, and how they are known to be ours.

`auto-hourly_2026-11-21T14.00.07Z`: the highest tier that was due, and the moment in UTC. Samba finds the time
behind its `shadow:delimiter`, and lets a regular expression choose what stands before it; so the tier comes
first. In smb.conf (vfs_shadow_copy2(8)):

    vfs objects = shadow_copy2
    shadow:snapdir = .zfs/snapshot
    shadow:sort = desc
    shadow:localtime = no
    shadow:snapprefix = ^auto-[a-z]*$
    shadow:delimiter = _
    shadow:format = _%Y-%m-%dT%H.%M.%SZ

A name can be given by anybody, and snapshots can be renamed: one is ours only if it also bears our mark, with
the guid of the pool that it was taken in. One that was sent to another pool bears another pool's.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import cast

from host.commands.datasets.zfs import MARK as MARK
from host.inventory import Snapshot
from pools.policies.rules.policy import TIERS, Tier

PREFIX = "auto-"
_FORMAT = "%Y-%m-%dT%H.%M.%SZ"
_TAG = re.compile(rf"{PREFIX}({'|'.join(TIERS)})_(\d{{4}}-\d\d-\d\dT\d\d\.\d\d\.\d\dZ)", re.ASCII)
LONGEST_TAG = len(PREFIX) + max(map(len, TIERS)) + 21


def written(moment: datetime) -> str:
    """A moment as the names have it: alike in all of them, so that their order is that of the moments."""
    return moment.astimezone(UTC).strftime(_FORMAT)


def tag_of(tier: Tier, moment: datetime) -> str:
    """The name behind the @ of a snapshot taken at `moment`."""
    return f"{PREFIX}{tier}_{written(moment)}"


def read_tag(tag: str) -> tuple[Tier, datetime] | None:
    """The tier and the moment of a name; None where it is none of ours."""
    found = _TAG.fullmatch(tag)
    if found is None:
        return None
    try:
        moment = datetime.strptime(found[2], _FORMAT).replace(tzinfo=UTC)
    except ValueError:
        return None
    return cast("Tier", found[1]), moment


def tier_of(snapshot: Snapshot, pool_guid: str) -> Tier | None:
    """The tier that one of ours was taken for; None for all others, whatever they are called."""
    if snapshot.mark != pool_guid:
        return None
    read = read_tag(snapshot.tag)
    return None if read is None else read[0]
