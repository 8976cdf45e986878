"""Machines with shares to draw, and what their pages say."""

from __future__ import annotations

import json
from typing import Any

import msgspec
from django.test import Client

from host.inventory import Inventory, NfsShare, Sharing, SmbShare
from host.inventory.shares import Served
from jobs import cache
from tests import made
from tests.shares.people import machine as with_people


def now() -> Inventory:
    inventory = cache.current()
    assert inventory is not None
    return inventory


def with_shares(*shares: SmbShare, nfs: tuple[NfsShare, ...] = (), **served: Any) -> Inventory:
    """People, `tank/files` mounted and `tank/away` not, and these shares."""
    datasets = (
        made.dataset("tank"),
        made.dataset("tank/files", mounted="yes"),
        made.dataset("tank/away", mounted="no"),
    )
    return msgspec.structs.replace(
        with_people(), datasets=datasets, sharing=Sharing(smb=shares, nfs=nfs), served=Served(**served)
    )


def share(name: str, dataset_name: str = "tank/files", **more: Any) -> SmbShare:
    guid = made.dataset(dataset_name).guid
    return SmbShare(id=len(name), name=name, guid=guid, dataset=dataset_name, **more)


def rows(answer: Any, which: str) -> list[tuple[str, str, str]]:
    """Name, state and who of each row."""
    return [(row.name, row.state.word, row.who) for row in answer.context[which]]


def sent(answer: Any) -> Any:
    """The request that a plan's page carries."""
    return json.loads(answer.context["request_json"])


def errors(answer: Any) -> dict[str, tuple[str, ...]]:
    assert answer.status_code == 422
    found: dict[str, tuple[str, ...]] = answer.context["errors"].by_field
    return found


def fields(name: str, browser: Client) -> dict[str, str]:
    """What the form of a share sends when nobody touches it."""
    form = browser.get(f"/shares/smb/{name}/").context["form"]
    boxes = {
        key: "yes" for key, value in (form.switches | {"enabled": form.enabled}).items() if value == "yes"
    }
    texts = {
        key: getattr(form, key)
        for key in ("name", "purpose", "comment", "guests", "encryption", "size", "unit")
    }
    return boxes | texts | {f"who.{key}": level for key, level in form.who.levels.items()}
