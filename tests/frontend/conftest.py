"""A browser without a screen, signed in, on a simulated machine."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import msgspec
import pytest
from django.test import Client
from rest_framework.test import APIClient

from accounts.models import User
from accounts.roles import Role
from host.inventory import Inventory
from host.simulated import SimulatedHost
from jobs import cache
from jobs.models import CachedInventory
from tests.prepared import made_once, prepared
from tests.shares.sharing import dataset, person


@pytest.fixture
def browser(simulated: SimulatedHost, admin: User) -> Client:
    """Signed in as an admin, on the profile `home`."""
    return signed_in(admin)


@pytest.fixture
def viewer(simulated: SimulatedHost) -> Client:
    """Signed in as somebody who may only read."""
    return signed_in(User.objects.create_user("vera", role=Role.VIEWER))


@pytest.fixture
def operator(simulated: SimulatedHost) -> Client:
    """Signed in as somebody who may do all but destroying."""
    return signed_in(User.objects.create_user("otto", role=Role.OPERATOR))


@pytest.fixture
@made_once
def files(browser: Client, api: APIClient) -> APIClient:
    """`tank/files`, Anna and Bert."""
    make_tank(browser)
    dataset(api, "tank/files")
    person(api, "anna", full_name="Anna B.")
    person(api, "bert")
    return api


def signed_in(user: User) -> Client:
    """A client with a session of `user`."""
    client = Client()
    client.force_login(user)
    return client


def free_disks() -> list[str]:
    """The ids of the disks that a pool can have as they are, in the order of their bays."""
    inventory = cache.current()
    assert inventory is not None
    return [disk.id for disk in sorted(inventory.disks, key=lambda disk: disk.bay or "") if disk.free]


def decide(client: Client, plan: Any, **confirmed: str) -> Any:
    """Press the button of the plan page that `plan` answered."""
    fields = ("operation", "request_json", "digest", "key")
    operation, request, digest, key = (plan.context[field] for field in fields)
    sent = {"operation": operation, "request": request, "digest": digest, "key": key}
    return client.post("/plans/run/", sent | confirmed)


def make_tank(client: Client, **fields: Any) -> Any:
    """Create `tank`, raidz2 of all free disks, through the pages; what was answered where `fields` differ."""

    def build() -> Any:
        form = {"name": "tank", "layout": "raidz2:1", "data": free_disks()} | fields
        return decide(client, client.post("/create/pool/", form))

    return build() if fields else prepared("make_tank", lambda: build().headers["Location"], client)


def show(inventory: Inventory) -> None:
    """Let the pages answer from `inventory`."""
    now = datetime.now(UTC)
    CachedInventory.objects.all().delete()
    cache.keep(msgspec.structs.replace(inventory, as_of=now.isoformat()))
