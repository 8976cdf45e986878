"""Addresses of the pages about pools, arrays, datasets and snapshots."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

from jobs.wording import address, at

_POOL = "/pools/{name}/"
_DATASET = "/datasets/{name:/}/"
_ARRAY = "/arrays/{name}/"
POOL_PAGE = at("{name}", _POOL)
CARE_PAGE = at("{name}", "/pools/{name}/#care")
OPEN_POOL = at("Open {name}", _POOL)
DATASET_PAGE = at("{name}", _DATASET)
KEYS_PAGE = at("{name}", "/keys/{name:/}/")
ARRAY_PAGE = at("{name}", _ARRAY)
OPEN_ARRAY = at("Open {name}", _ARRAY)


def pool_href(name: str) -> str:
    """The page of a pool."""
    return address(_POOL, {"name": name})


def array_href(name: str) -> str:
    """The page of an array."""
    return address(_ARRAY, {"name": name})


def replace_href(name: str, guid: Any) -> str:
    """The replace assistant of a pool, for the member of that guid."""
    return f"{pool_href(name)}replace/" + (f"?vdev={quote(str(guid), safe='')}" if guid else "")


def dataset_href(name: str) -> str:
    """The page of a dataset."""
    return address(_DATASET, {"name": name})


def snapshots_href(dataset: str) -> str:
    """The page with a dataset's snapshots."""
    return f"/snapshots/{quote(dataset)}/" if dataset else "/datasets/"


def snapshot_href(name: str) -> str:
    """The page of one snapshot, dataset@name."""
    return f"/snapshot/{quote(name)}/"
