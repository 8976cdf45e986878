"""Addresses of the pages about the machine itself."""

from __future__ import annotations

from urllib.parse import quote


def interface_href(name: str) -> str:
    """The page that sets an interface up."""
    return f"/settings/network/{quote(name, safe='')}/"
