"""What a task leaves on datasets, so that its chain cannot break: holds and bookmarks, called after it.

At the source a bookmark stands for the newest snapshot that the replica has: policies may destroy the
snapshot itself, however long the target is away, and it takes no space. While a stream is under way its
snapshot is held there; at the target the newest one is held as long as it is the newest.
"""

from __future__ import annotations


def tag(task: str) -> str:
    """The holds of a task, and the first part of its bookmarks."""
    return f"nasweb-{task}"


def bookmark(task: str, guid: str) -> str:
    """The bookmark that stands for the snapshot with that guid."""
    return f"{tag(task)}-{guid}"
