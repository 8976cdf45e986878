"""On the virtual NAS: what a job costs beyond the commands it runs."""

from __future__ import annotations

from datetime import datetime
from statistics import median
from typing import Any

from tests.bench import listing, sanoid, shares_lab, syncoid
from tests.bench.journal import commands
from tests.bench.timing import show
from tests.lab.builder import build_image, built_release
from tests.lab.console import Console
from tests.lab.disks import HOME
from tests.lab.machine import Machine


def measure() -> None:
    """Boot a NAS, run jobs through its API, and subtract the time that their commands took in the helper."""
    with Machine(build_image(built_release()), HOME) as machine:
        machine.boot()
        machine.wait_until("curl -fks https://127.0.0.1/accounts/login/ > /dev/null", timeout_s=300)
        console = Console(machine)
        console.fresh()
        disks = [d["id"] for d in console.get("disks/")["results"] if d["id"].startswith("ata-WDC_WD30EFRX")]
        pool = {"name": "tank", "vdevs": [{"role": "data", "layout": "raidz2", "disks": disks}]}
        jobs = [console.do("POST", "pools/", pool)]
        jobs += [console.do("POST", "datasets/", {"name": f"tank/d{number}"}) for number in range(10)]
        ran = commands(machine)
        overheads = [_overhead_s(job, ran) for job in jobs]
        how = f"median of {len(jobs)} jobs (first with 14 commands: {overheads[0]:.2f}), with what is read"
        show("a job's own overhead in the lab", median(overheads), aim=1.0, unit="s", how=how)
        sanoid.compare(machine, console)
        listing.compare(machine, console)  # the last: to destroy what it makes takes half an hour
    shares_lab.measure()
    syncoid.measure()


def _overhead_s(job: dict[str, Any], ran: list[dict[str, Any]]) -> float:
    """Seconds from the job's start to its end, less those that the helper counted for its commands."""
    wall = datetime.fromisoformat(job["finished_at"]) - datetime.fromisoformat(job["started_at"])
    wanted = [command for step in job["steps"] for command in step["commands"]]
    spent = 0.0
    for command in wanted:
        entry = next(entry for entry in ran if entry["argv"] == command)
        ran.remove(entry)
        spent += float(entry["duration_s"])
    return wall.total_seconds() - spent
