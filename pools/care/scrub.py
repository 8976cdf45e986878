"""pool.scrub: read everything, compare it with its checksums, and repair what can be repaired."""

from __future__ import annotations

import msgspec

from host.commands.pools.care import ScrubAction, ZpoolScrub
from host.inventory import Inventory, Pool
from jobs.plan import Plan, Step
from jobs.planning.findings import Findings
from pools.chosen import PoolText, check_writable, imported

_TITLES = {"start": "Scrub {}", "resume": "Go on with the scrub of {}", "pause": "Pause the scrub of {}",
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
        findings.error("already-paused", "action", "The scrub is paused already. Start it to go on.")
    findings.refuse_on_error()
    if request.action == "stop":
        message = "A stopped scrub begins from the start the next time. To go on later, pause it instead."
        findings.info("starts-over", "action", message)
    title = _TITLES["resume" if paused and request.action == "start" else request.action]
    command = ZpoolScrub(name=pool.name, action=request.action)
    return Plan(
        operation="pool.scrub",
        steps=(Step(title=title.format(pool.name), commands=(command,)),),
        findings=findings.all(),
        claims=(f"pool:{pool.name}",),
    )


def _check_start(pool: Pool, findings: Findings, *, scrubbing: bool, paused: bool) -> None:
    if scrubbing and not paused:
        findings.error("already-running", "action", f"{pool.name} is being scrubbed already.")
    elif _scanning(pool, "RESILVER"):
        message = f"{pool.name} is resilvering, which comes first. Start the scrub when that has ended."
        findings.error("resilvering", "action", message)
    if pool.expansion is not None and pool.expansion.state == "SCANNING":
        message = "A RAIDZ of it is being expanded; ZFS scrubs the pool by itself when that has ended."
        findings.error("expanding", "action", message)
    if not paused:
        message = "The pool can be used meanwhile. A scrub reads all that is stored and slows other work."
        findings.info("takes-hours", "", message)


def _scanning(pool: Pool, function: str) -> bool:
    return pool.scan is not None and pool.scan.state == "SCANNING" and pool.scan.function == function
