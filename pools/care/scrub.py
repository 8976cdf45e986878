"""pool.scrub: read everything, compare it with its checksums, and repair what can be repaired."""

from __future__ import annotations

from datetime import datetime

import msgspec

from host.commands.pools.care import ScrubAction, ZpoolScrub
from host.inventory import Inventory, Pool, Scan
from host.inventory.redundancy import pool_survives_when_whole
from jobs.plan import Plan, Step
from jobs.planning.findings import Findings
from pools.advice.rebuild import about
from pools.chosen import PoolText, check_writable, imported

_TITLES = {"start": "Scrub {}", "resume": "Resume the scrub of {}", "pause": "Pause the scrub of {}",
           "stop": "Stop the scrub of {}"}  # fmt: skip


class ScrubPool(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Start a scrub or go on with a paused one; pause it; stop it. It runs for hours, in the kernel."""

    name: PoolText
    action: ScrubAction = "start"


def plan(request: ScrubPool, inventory: Inventory) -> Plan:
    """Raises `Refused` while the pool resilvers, and for what is running or not running already."""
    findings = Findings()
    pool = imported(request.name, inventory, findings)
    check_writable(pool, findings)
    scrubbing = _scanning(pool, "SCRUB")
    paused = scrubbing and pool.scan is not None and pool.scan.paused is not None
    if request.action == "start":
        _check_start(pool, findings, scrubbing=scrubbing, paused=paused)
    elif not scrubbing:
        findings.error("no-scrub", "action", f"{pool.name} is not being scrubbed.")
    elif request.action == "pause" and paused:
        findings.error("already-paused", "action", "The scrub is paused already. Start it to continue.")
    findings.refuse_on_error()
    if request.action == "stop":
        message = "A stopped scrub starts from the beginning next time. To continue later, pause it instead."
        findings.info("starts-over", "action", message)
    resumes = paused and request.action == "start"
    title = _TITLES["resume" if resumes else request.action]
    command = ZpoolScrub(name=pool.name, action=request.action)
    return Plan(
        operation="pool.scrub",
        steps=(Step(title=title.format(pool.name), commands=(command,)),),
        summary=_summary(request, pool, resumes=resumes),
        takes=_takes(pool) if request.action == "start" else "",
        findings=findings.all(),
        claims=(f"pool:{pool.name}",),
    )


def _summary(request: ScrubPool, pool: Pool, *, resumes: bool) -> str:
    at = f" at {pool.scan.percent:.0f} %" if pool.scan and pool.scan.percent is not None else ""
    if resumes:
        return f"The scrub of {pool.name} continues where it was paused{at}, and slows down other work."
    if request.action == "pause":
        return f"The scrub of {pool.name} is paused{at}, and continues from there once you start it again."
    if request.action == "stop":
        return f"The scrub of {pool.name} is stopped{at}, and the next one starts from the beginning."
    repair = "repaired from its redundancy"
    if pool_survives_when_whole(pool.vdevs) == 0:
        repair = "reported, because there is no redundancy to repair files from"
    return (
        f"{pool.name} is scrubbed: everything stored in it is compared with its checksums, and damage is "
        f"{repair}. Other work is slower during that time."
    )


def _takes(pool: Pool) -> str:
    """By the last one, where the kernel still knows it."""
    last = _duration_s(pool.scan) if pool.scan else None
    how_long = f"{about(last)}, like the last one" if last else "hours for large disks"
    return f"{how_long}; {pool.name} stays usable"


def _duration_s(scan: Scan) -> float | None:
    if (scan.function, scan.state) != ("SCRUB", "FINISHED") or scan.started is None or scan.finished is None:
        return None
    ran = datetime.fromisoformat(scan.finished) - datetime.fromisoformat(scan.started)
    return ran.total_seconds() - scan.paused_s


def _check_start(pool: Pool, findings: Findings, *, scrubbing: bool, paused: bool) -> None:
    if scrubbing and not paused:
        findings.error("already-running", "action", f"{pool.name} is being scrubbed already.")
    elif _scanning(pool, "RESILVER"):
        message = f"{pool.name} is resilvering, which comes first. Start the scrub when that has finished."
        findings.error("resilvering", "action", message)
    if pool.expansion is not None and pool.expansion.state == "SCANNING":
        message = (
            "One of its RAIDZ vdevs is being expanded; ZFS scrubs the pool by itself when that has finished."
        )
        findings.error("expanding", "action", message)
    if not paused:
        message = "The pool stays usable. A scrub reads everything stored and slows down other work."
        findings.info("takes-hours", "", message)


def _scanning(pool: Pool, function: str) -> bool:
    return pool.scan is not None and pool.scan.state == "SCANNING" and pool.scan.function == function
