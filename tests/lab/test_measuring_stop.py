"""A measurement that is stopped ends within seconds, and nothing of it is left."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import pytest

from tests.lab.pool_life import PoolLab, until

pytestmark = [pytest.mark.drill, pytest.mark.measures]

HOME = "tank/corpora"
TEXTS = "find /usr/lib/python3 /opt/nasweb/current/.venv/lib -name '*.py' | xargs cat 2>/dev/null"


@pytest.fixture(scope="module")
def lab(pool_lab: PoolLab) -> Iterator[PoolLab]:
    pool_lab.create("tank", "mirror", 1, 2)
    # The console makes a dataset of its own on each pool: it is nothing that a measurement left.
    until(lambda: "tank/.nasweb" in said(pool_lab, "zfs list -Ho name"), limit_s=900, every_s=2)
    yield pool_lab
    pool_lab.tidy()


def said(lab: PoolLab, command: str) -> str:
    return lab.machine.run(command).stdout


def report(lab: PoolLab) -> Any:
    return lab.console.ask("GET", f"compression/{HOME}/", Prefer="wait=60").body


def test_a_stop_is_heard_within_seconds_and_nothing_is_left(lab: PoolLab) -> None:
    lab.console.do("POST", "datasets/", {"name": HOME, "properties": {"recordsize": "1M"}})
    lab.machine.run(f"at=/mnt/{HOME}; {TEXTS} | head -c 60M > $at/file; sync")
    lab.console.do("POST", "snapshots/", {"datasets": [HOME], "name": "now"})
    lab.console.fresh()
    seen = (
        "zfs list -Hro name -t all tank; findmnt -rno TARGET -t zfs; "
        "ls /tmp /var/tmp | grep -v systemd-private"
    )
    before = said(lab, f"{seen} || true")
    lab.console.do("POST", f"compression/{HOME}/", {})
    until(lambda: report(lab)["run"]["measured_blocks"] > 0, limit_s=300)
    lab.machine.run("systemctl restart nasweb-worker")  # it goes on without the worker
    assert report(lab)["run"]["verdict"] is None
    begin = time.monotonic()
    lab.machine.run("systemctl stop 'nasweb-measure-*'")
    assert time.monotonic() - begin < 6  # and what it takes to say so to the machine
    assert report(lab)["run"]["verdict"] in {"stopped", "failed"}
    assert said(lab, f"{seen} || true") == before
    assert said(lab, "systemctl list-units --all --plain --no-legend 'nasweb-measure-*'") == ""
