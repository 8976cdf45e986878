"""Addresses of the pages about disks."""

from __future__ import annotations

from urllib.parse import quote


def disk_href(disk_id: str) -> str:
    """The page of a disk, by any of its names."""
    return f"/disks/{quote(disk_id, safe='')}/"
