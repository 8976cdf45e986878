"""Fixtures of the tests that need the lab. They run only when asked for: `python -m pytest tests/lab`."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.lab.builder import build_image
from tests.lab.disks import HOME
from tests.lab.machine import Machine


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.lab)


@pytest.fixture(scope="session")
def machine() -> Iterator[Machine]:
    """A running NAS with six SATA disks and two flash drives: `disks.HOME`.

    `NASWEB_LAB_RELEASE` names the release to install on it; without it that is a plain Debian with OpenZFS.
    """
    release = os.environ.get("NASWEB_LAB_RELEASE")
    with Machine(build_image(Path(release) if release else None), HOME) as nas:
        nas.boot()
        yield nas
