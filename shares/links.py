"""Addresses of the pages about shares, people and groups."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

from jobs.wording import address, at

_PERSON = "/people/{name}/"
_GROUP = "/groups/{name}/"
SHARES_PAGE = at("Shares", "/shares/")
SHARE_PAGE = at("{share}", "/shares/smb/{share}/")
CONNECT = at("Connect to {name}", "/shares/smb/{name}/")
EXPORT_PAGE = at("The export", "/shares/nfs/{id}/")
PERSON_PAGE = at("{name}", _PERSON)
OPEN_PERSON = at("Open {name}", _PERSON)
GROUP_PAGE = at("{name}", _GROUP)
OPEN_GROUP = at("Open {name}", _GROUP)


def share_href(name: str) -> str:
    """The page of a share of SMB."""
    return f"/shares/smb/{quote(name, safe='')}/"


def export_href(share_id: Any) -> str:
    """The page of an export of NFS."""
    return f"/shares/nfs/{quote(str(share_id), safe='')}/"


def rights_href(dataset: str) -> str:
    """The page with the rights of a dataset's folder."""
    return f"/rights/{quote(dataset)}/"


def person_href(name: str) -> str:
    """The page of a person."""
    return address(_PERSON, {"name": name})


def group_href(name: str) -> str:
    """The page of a group."""
    return address(_GROUP, {"name": name})
