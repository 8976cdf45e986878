"""What tests of several rooms share: no processes, a simulated machine, an account, callers of the API."""

from __future__ import annotations

import gc
import hashlib
import os
import sqlite3
import subprocess
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path
from threading import Event
from types import SimpleNamespace
from typing import Any

import pytest
from django.conf import settings as configured
from django.contrib.auth.hashers import make_password
from django.core.cache import cache as django_cache
from django.db import connection, connections
from django.test import TransactionTestCase
from pytest_django import DjangoDbBlocker
from rest_framework.test import APIClient

import nasweb.host
import tests.fuzzing  # noqa: F401 (before pytest reads the profile that was asked for)
from accounts import setup, tokens
from accounts.models import Token, User
from accounts.roles import SCOPES, Role
from host.probe.cache import ProbeCache
from host.simulated import SimulatedHost
from jobs import broker, cache, engine, submission, waiting
from jobs.api.guesses import Guesses
from jobs.operation import the_host
from nasweb.metrics import gather as metrics
from replication.api import pairings
from tests import effects, prepared

_MAY_START = {"browser", "lab", "drill"}
_TIMEOUT_S = 60
_numbers = count(1)
_STARTERS = ("system", "popen", "fork", "forkpty", "posix_spawn", "posix_spawnp", "execv", "execve")


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """What is imported and collected stays: to look through it for garbage finds none."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What takes long begins first: no worker waits at the end for what another one began last."""
    items.sort(key=lambda item: item.get_closest_marker("long") is None)


def pytest_collection_finish() -> None:
    """Nor is any found in it later: to go through it with each collection took a twelfth of the whole run."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


class StartedAProcess(AssertionError):
    """A test (or what it tests) tried to start a process."""


@pytest.fixture(autouse=True)
def no_processes(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Unit tests start no process, not even by accident."""
    if any(request.node.get_closest_marker(name) for name in _MAY_START):
        return

    def refuse(*args: Any, **_: Any) -> None:
        raise StartedAProcess(f"started {args[:2]!r}")

    monkeypatch.setattr(subprocess.Popen, "__init__", refuse)
    for name in _STARTERS:
        monkeypatch.setattr(os, name, refuse)


@pytest.fixture(autouse=True)
def fresh_counters(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tries of one test do not count in the next, and all of one test are in one minute."""
    django_cache.clear()
    for counts in (setup, pairings):
        monkeypatch.setattr(counts, "GUESSES", Guesses(lambda: 0.0))
    metrics.forget()


@pytest.fixture(autouse=True)
def declared_effects(monkeypatch: pytest.MonkeyPatch) -> None:
    """No plan of any test does worse than the row of its operation declares."""
    monkeypatch.setattr(submission, "prepare", effects.prepare)


@pytest.fixture(autouse=True)
def own_series(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each test has its own file of time series. Most make none: no folder is made for it, either."""
    number = next(_numbers)
    monkeypatch.setattr(configured, "NASWEB_SERIES", configured.DATA_DIR / f"series-{number}.sqlite3")
    monkeypatch.setattr(configured, "NASWEB_RECENT", configured.DATA_DIR / f"series-{number}.recent")


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """After a test that commits, the database is as it was made: copied back whole, numbers of rows and all.

    Django would empty each table and make all permissions again, which takes longer than most of the tests.
    """
    empty = sqlite3.connect(":memory:", check_same_thread=False)
    with django_db_blocker.unblock():
        connection.ensure_connection()
        connection.connection.backup(empty)

    def restore(_: TransactionTestCase) -> None:
        empty.backup(connection.connection)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(TransactionTestCase, "_fixture_setup", classmethod(lambda _: prepared.begin()))
        patch.setattr(TransactionTestCase, "_fixture_teardown", restore)
        yield
    empty.close()


@pytest.fixture
def simulated(transactional_db: None, settings: Any, tmp_path: Path) -> SimulatedHost:
    """A fresh simulated NAS (profile `home`) whose inventory is cached; jobs run as soon as submitted."""
    return simulated_machine(settings, tmp_path, "home")


@pytest.fixture
def standing_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """The simulated machine's clock goes on by `pass_time` alone, however long a test takes."""
    at = time.time()
    monkeypatch.setattr("host.simulated.state.time", SimpleNamespace(time=lambda: at))


@pytest.fixture
def rack24(transactional_db: None, settings: Any, tmp_path: Path) -> SimulatedHost:
    """Like `simulated`, with 24 disks on three HBAs."""
    return simulated_machine(settings, tmp_path, "rack24")


@pytest.fixture
def single(transactional_db: None, settings: Any, tmp_path: Path) -> SimulatedHost:
    """Like `simulated`, with the system on one flash drive and a blank one beside it."""
    return simulated_machine(settings, tmp_path, "single")


@pytest.fixture
def admin(db: None) -> User:
    """An account that may do everything; its password is `correct horse battery`."""
    user = User.objects.create_user("admin", role=Role.ADMIN)
    # Salted alike in each test: a database that is copied back (`tests.prepared`) knows it by this hash.
    user.password = make_password("correct horse battery", salt="oneSaltForAllTestsOfThis")
    user.save()
    return user


@pytest.fixture
def api(simulated: SimulatedHost, admin: User) -> APIClient:
    """Calls the API on `simulated` with a token that has every scope."""
    return caller(admin, *SCOPES)


@pytest.fixture
def silent_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is asked of the worker is never answered, and nobody waits for an answer."""
    monkeypatch.setattr(broker, "send", lambda task, *args: True)
    monkeypatch.setattr(waiting, "stopping", stopping := Event())
    stopping.set()


@pytest.fixture
def in_threads(tmp_path: Path) -> Callable[..., list[Any]]:
    """Runs calls, each in a thread with a connection of its own.

    A database in memory has no locks to wait for, so it is copied into a file like the one that is installed.
    """

    def run(*calls: Callable[[], Any]) -> list[Any]:
        path = tmp_path / "nasweb.sqlite3"
        if not path.exists():
            file = sqlite3.connect(path)
            connection.connection.backup(file)
            file.execute("PRAGMA journal_mode=WAL")
            file.close()

        def connected(call: Callable[[], Any]) -> Any:
            own = connection.copy()
            own.settings_dict["NAME"] = path
            connections["default"] = own
            try:
                return call()
            finally:
                own.close()

        with ThreadPoolExecutor(len(calls)) as threads:
            return [each.result(_TIMEOUT_S) for each in [threads.submit(connected, call) for call in calls]]

    return run


def caller(user: User, *scopes: str) -> APIClient:
    """A client that sends a token of `user` with `scopes`, and JSON.

    The first of each test has the same text, and so on: a database that is copied back knows them.
    """
    token, _ = tokens.create(name="test", scopes=scopes, user=user)
    plaintext = f"nas_of-a-test-{token.pk}"
    Token.objects.filter(pk=token.pk).update(digest=hashlib.sha256(plaintext.encode()).hexdigest())
    client = APIClient(headers={"authorization": f"Bearer {plaintext}"})
    client.default_format = "json"
    return client


def refresh() -> None:
    """Probe the machine again, as the worker does every few seconds."""
    assert engine.refresh(the_host())


def simulated_machine(settings: Any, folder: Path, profile: str) -> SimulatedHost:
    settings.NASWEB_MACHINE = profile
    settings.NASWEB_MACHINE_STATE = folder / f"{profile}.json"
    settings.NASWEB_SECRETS = folder / "secrets"
    machine = SimulatedHost(settings.NASWEB_MACHINE_STATE, profile)

    def build() -> None:
        cache._newest = None
        # What hardly moves is kept for minutes: not from one test to the next.
        nasweb.host._memory = ProbeCache()
        refresh()

    prepared.fresh(profile, build)
    return machine
