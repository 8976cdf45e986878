"""Fixtures of the tests that need the lab. They run only when asked for: `python -m pytest tests/lab`."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.lab.builder import build_image, built_release
from tests.lab.console import Console
from tests.lab.disks import HOME
from tests.lab.machine import Machine
from tests.lab.pool_life import DISKS, PoolLab

_shared: dict[str, Machine] = {}  # by the fixture that gives them


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.lab)


@pytest.fixture(scope="session")
def machine() -> Iterator[Machine]:
    """A running NAS with the disks of `HOME` and what `make release` made installed."""
    with Machine(build_image(built_release()), HOME) as nas:
        nas.boot()
        _shared["machine"] = nas
        yield nas


@pytest.fixture(scope="session")
def console(machine: Machine) -> Console:
    """Its API. A machine has one first account, so there is one of these."""
    return Console(machine)


@pytest.fixture(scope="session")
def pool_lab() -> Iterator[PoolLab]:
    """A NAS with small disks in taught bays, for drills that leave it without a pool and as it was."""
    with Machine(build_image(built_release()), DISKS) as nas:
        nas.boot()
        _shared["pool_lab"] = nas
        yield PoolLab(nas)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """The shared machines that a test does without stand still, before it sets up one of its own."""
    used = item.fixturenames if isinstance(item, pytest.Function) else ()
    for name, nas in _shared.items():
        if name in used:
            nas.resume()
        else:
            nas.pause()


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Report a failure at once: the summary of a long run comes when its machines are gone."""
    if report.failed and report.nodeid.startswith("tests/lab/"):
        print(f"\n{report.nodeid} ({report.when})\n{report.longreprtext[-6000:]}", flush=True)
