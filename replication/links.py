"""Addresses of the pages about replications and targets."""

from __future__ import annotations

from jobs.wording import Data, Link, at

REPLICATIONS = at("Replication", "/replication/")
NEW_REPLICATION = at("Replicate a dataset", "/replication/new/")
_ONE = "/replication/{id}/"


def replication_href(number: int) -> str:
    """The page of a replication."""
    return _ONE.format(id=number)


def page_of(data: Data) -> Link:
    """Of the replication that a request names by its number."""
    number = data.get("id")
    return Link("Replication", replication_href(number)) if isinstance(number, int) else REPLICATIONS(data)


TARGETS = at("Targets", "/replication/targets/")
NEW_TARGET = at("Add a target", "/replication/targets/new/")
PAIRINGS = at("Pairing", "/replication/pairings/")


def target_href(number: int) -> str:
    """The page of a target."""
    return f"/replication/targets/{number}/"


def pairing_href(number: int) -> str:
    """The page of a pairing."""
    return f"/replication/pairings/{number}/"


def target_page(data: Data) -> Link:
    """Of the target that a request names by its number."""
    number = data.get("id")
    return Link("Target", target_href(number)) if isinstance(number, int) else TARGETS(data)


def pairing_page(data: Data) -> Link:
    """Of the pairing that a request names by its number."""
    number = data.get("id")
    return Link("Pairing", pairing_href(number)) if isinstance(number, int) else TARGETS(data)
