"""Which folders can be written into smb.conf(5) and exports(5) so that they are read as they are."""

from __future__ import annotations

import re

from host.mountpoints import OPEN_ROOTS, Zone, zone

_PLAIN = re.compile(r"/[^\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069%\"'`$\\;#\[\]]*")
_LONGEST = 512


def place_fault(place: str) -> str | None:
    """Why a file system mounted there cannot be shared; None where it can."""
    if not place.startswith("/") or place == "/":
        return f"It has no folder of its own to be shared: its mountpoint is “{place}”."
    if len(place.encode()) > _LONGEST:
        return f"Its folder has a path of more than {_LONGEST} bytes. Give it a shorter mountpoint."
    if any(part in {"", ".", ".."} for part in place.split("/")[1:]):
        return f"Its folder {place} is written in a roundabout way. Give it a mountpoint without //, . and .."
    if zone(place) is Zone.SYSTEM:
        below = " or ".join(OPEN_ROOTS)
        return f"Its folder {place} is one of the system's. Give it a mountpoint below {below}."
    if not _PLAIN.fullmatch(place) or "  " in place or any(part != part.strip() for part in place.split("/")):
        return (
            f"Its folder {place} has what Samba or NFS reads otherwise: one of % \" ' ` $ \\ ; # [ ], or "
            "spaces at an end or side by side. Give it another mountpoint."
        )
    return None
