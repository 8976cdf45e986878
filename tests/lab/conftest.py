"""Fixtures of the tests that need the lab. They run only when asked for: `python -m pytest tests/lab`."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.lab.builder import build_image, built_release
from tests.lab.disks import HOME
from tests.lab.machine import Machine


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
        yield nas
