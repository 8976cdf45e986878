"""The job engine on a machine that runs nothing."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec
import pytest

from jobs import broker, cache
from jobs.index import refreshing
from tests.jobs import composition
from tests.jobs.composition import Machine


class Person:
    """A user with exactly these permissions."""

    def __init__(self, *permissions: str, name: str = "ada") -> None:
        self.permissions, self.name = permissions, name

    def has_perm(self, perm: str) -> bool:
        return perm in self.permissions

    def get_username(self) -> str:
        return self.name


@pytest.fixture
def ada() -> Person:
    return Person("pools:write", "jobs:write", "destroy")


@pytest.fixture
def machine(settings: Any, db: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[Machine]:
    """A fresh machine whose inventory is cached; jobs are only stored, and run when the test says so."""
    settings.NASWEB_OPERATIONS = "tests.jobs.composition.OPERATIONS"
    settings.NASWEB_TAKE_INVENTORY = "tests.jobs.composition.take_inventory"
    settings.NASWEB_HOST_FACTORY = "tests.jobs.composition.the_host"
    composition.MACHINE = made = Machine()
    monkeypatch.setattr(broker, "send", lambda task, *args: True)
    monkeypatch.setattr(refreshing, "list_names", lambda host, datasets: iter(()))
    remember(made)
    yield made


def remember(machine: Machine) -> None:
    """Put the machine's inventory into the cache, as new."""
    later = datetime.now(UTC) + timedelta(seconds=1)
    machine.inventory = msgspec.structs.replace(
        machine.inventory, as_of=later.isoformat(timespec="milliseconds")
    )
    cache.store(machine.inventory, machine)
