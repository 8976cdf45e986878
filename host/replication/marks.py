"""What a task leaves on datasets, so that its chain cannot break: holds and bookmarks, called after it.

At the source a bookmark stands for the newest snapshot that the replica has: policies may destroy the
snapshot itself, however long the target is away, and it takes no space. While a stream is under way its
snapshot is held there; at the target the newest one is held as long as it is the newest.
"""

from __future__ import annotations

from datetime import datetime

# Of what a machine leaves on another one: it takes no others off there, such as those of its own tasks.
PEERS = "nasweb-peer-"


def tag(task: str, *, elsewhere: bool = False) -> str:
    """The holds of a task, and the first part of its bookmarks, here or on another machine."""
    return f"{PEERS if elsewhere else 'nasweb-'}{task}"


def own_snapshot(task: str, now: datetime) -> str:
    """What a task calls the snapshot that it takes at that time, in UTC."""
    return f"{own_prefix(task)}{now:%Y-%m-%d_%H.%M.%SZ}"


def own_prefix(task: str) -> str:
    """The first part of the names of its own snapshots."""
    return f"replication-{task[:8]}_"


def bookmark(own: str, guid: str) -> str:
    """The bookmark that stands for the snapshot with that guid; `own` is what `tag` says."""
    return f"{own}-{guid}"
