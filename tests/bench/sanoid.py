"""On the virtual NAS: a run of our policies beside one of Debian's sanoid, on the same pool and policy."""

from __future__ import annotations

import time
from datetime import datetime
from typing import Any, cast

from tests.bench.listing import wait_until_indexed
from tests.bench.timing import show
from tests.lab.console import Console
from tests.lab.machine import Machine
from tests.lab.pool_life import until

DATASETS = 200
AGES = 10  # so many old ones of each dataset are to be deleted: 2 000 in all
_CONF = """[tank/bench]
use_template = bench
recursive = yes
[template_bench]
frequently = 0
hourly = 1
daily = 0
monthly = 0
yearly = 0
autosnap = yes
autoprune = yes
"""
INSTALL = (
    "systemctl mask --now sanoid.timer sanoid-prune.service sanoid.service; apt-get update -qq"
    " && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends sanoid"
)


def compare(machine: Machine, console: Console) -> None:
    """Needs the pool `tank`. Prints the wall time of taking and of deleting, ours in parts of sanoid's."""
    machine.run(INSTALL, timeout_s=900)
    machine.run("mkdir -p /etc/sanoid && cat > /etc/sanoid/sanoid.conf", input=_CONF)
    machine.run("timedatectl set-ntp false; systemctl stop systemd-timesyncd", check=False)
    machine.run(
        f"zfs create tank/bench; for n in $(seq {DATASETS - 1}); do zfs create tank/bench/d$n; done",
        timeout_s=900,
    )
    their_taking, their_deleting = _theirs(machine)
    our_taking, our_deleting = _ours(machine, console)
    how = f"{DATASETS} datasets; ours {our_taking:.1f} s with its probes, sanoid {their_taking:.1f}"
    show("a snapshot run against sanoid's", our_taking / their_taking, aim=0.5, unit="×", how=how)
    how = (
        f"{DATASETS * AGES} snapshots; ours {our_deleting:.1f} s with probes and all details read,"
        f" sanoid {their_deleting:.1f}"
    )
    show("deleting snapshots against sanoid's", our_deleting / their_deleting, aim=0.2, unit="×", how=how)


def _theirs(machine: Machine) -> tuple[float, float]:
    """Seconds of its taking and of its pruning; nothing of it is left."""
    machine.run("systemctl stop nasweb-worker")
    _old(machine, "zfs snapshot -r tank/bench@autosnap_$(date -u +%Y-%m-%d_%H:00:00)_hourly", AGES)
    taking = _timed(machine, "sanoid --take-snapshots --force-update")
    assert _count(machine) == DATASETS * (AGES + 1), "sanoid took what it should"
    deleting = _timed(machine, "sanoid --prune-snapshots --force-prune --force-update")
    left = _count(machine)
    assert left == DATASETS, f"sanoid deleted what it should: {left} are left"
    machine.run("zfs destroy -r tank/bench@%", timeout_s=600)
    return taking, deleting


def _ours(machine: Machine, console: Console) -> tuple[float, float]:
    """The same of our jobs: the policy's own, which deletes what it would not keep, and that of the clock."""
    guid = machine.run("zpool get -Hpo value guid tank").stdout.strip()
    name = "auto-hourly_$(date -u +%Y-%m-%dT%H.%M.%SZ)"
    _old(machine, f"zfs snapshot -r -o nasweb:auto={guid} tank/bench@{name}", AGES + 1)
    machine.run("systemctl start nasweb-worker")
    names = ["tank/bench", *(f"tank/bench/d{number}" for number in range(1, DATASETS))]
    wait_until_indexed(console, names, AGES + 1)
    assert _count(machine) == DATASETS * (AGES + 1)
    before = {job["id"] for job in _runs(console)}
    wish = {"dataset": "tank/bench", "policy": "hourly=1"}
    deletion = _ended(console, console.submit("POST", "snapshot-policies/", wish))
    assert deletion["state"] == "succeeded", deletion["error"]
    assert len(deletion["steps"]) == 2, "it deletes too"
    run = _run(console, before)
    assert run["state"] == "succeeded", run["error"]
    assert _count(machine) <= 2 * DATASETS
    return _span(run), _span(deletion)


def _old(machine: Machine, take: str, sets: int) -> None:
    """Old snapshots of all datasets, one each hour, taken by a clock that is set back."""
    now = int(machine.run("date +%s").stdout)
    for hour in range(sets + 1, 1, -1):
        machine.run(f"date -s @{now - 3600 * hour} > /dev/null; {take}", timeout_s=300)
    machine.run(f"date -s @{now} > /dev/null")


def _timed(machine: Machine, command: str) -> float:
    started = time.monotonic()
    machine.run(command, timeout_s=3600)
    return time.monotonic() - started


def _count(machine: Machine) -> int:
    return int(machine.run("zfs list -H -t snapshot -o name -r tank/bench | wc -l", timeout_s=300).stdout)


def _runs(console: Console) -> list[dict[str, Any]]:
    jobs = console.get("jobs/?limit=20")["results"]
    return [job for job in jobs if job["operation"] == "policy.run"]


def _run(console: Console, before: set[int]) -> dict[str, Any]:
    """The next run of the clock, once it has ended."""

    def ended() -> dict[str, Any] | None:
        new = [job for job in _runs(console) if job["id"] not in before]
        return new[-1] if new and new[-1]["state"] not in {"queued", "running"} else None

    _, run = until(ended, limit_s=600, every_s=2)
    return cast("dict[str, Any]", run)


def _ended(console: Console, job_id: int) -> dict[str, Any]:
    """The job at its end. Nothing else is asked of the machine meanwhile."""

    def ended() -> dict[str, Any] | None:
        job: dict[str, Any] = console.get(f"jobs/{job_id}/")
        return None if job["state"] in {"queued", "running"} else job

    _, job = until(ended, limit_s=1800, every_s=2)
    return cast("dict[str, Any]", job)


def _span(thing: dict[str, Any]) -> float:
    ended, begun = (datetime.fromisoformat(thing[key]) for key in ("finished_at", "started_at"))
    return (ended - begun).total_seconds()
