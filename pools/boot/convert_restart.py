"""boot.convert-restart: the machine starts from the copy, once; after a failure from the old system."""

from __future__ import annotations

import msgspec

from host.boot_pair import in_words
from host.commands.system.converting import RestartIntoCopy
from host.inventory import Disk, Inventory
from jobs.plan import Plan, Step
from jobs.planning.findings import Findings
from jobs.planning.words import named
from pools.boot.running import asked_running, copy_of


class ConvertRestart(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Copy what was written since, and restart into the copy."""


def plan(request: ConvertRestart, inventory: Inventory) -> Plan:
    """Raises `Refused` where there is no whole copy."""
    findings = Findings()
    now = asked_running(inventory, findings)
    found = copy_of(inventory)
    if found is None:
        findings.refuse("no-copy", "", "There is no copy of the system yet.")
    report, array, disk = found
    if report.running:
        findings.refuse("copy-goes-on", "", "The system is being copied. Wait until that has finished.")
    if report.state in {"copying", "failed", "stopped"}:
        findings.refuse("copy-not-whole", "", "The copy is incomplete. Start it again.")
    if array is None or disk is None or array.mountpoints:
        findings.refuse("copy-gone", "", "The disk with the copy is missing, or its array is not running.")
    findings.refuse_on_error()
    if report.state == "restarting":
        message = "The machine was told to start from the copy before, but came back with the old system."
        findings.warning("did-not-start", "", message)
    message = (
        "The console and all shares stop, and the machine restarts, which takes some minutes. What is "
        "written to the system's own disk after that is not in the copy. Stop databases and virtual "
        "machines that you installed there yourself before: files that change while they are being copied "
        "may be inconsistent in the copy."
    )
    findings.warning("restarts", "", message)
    words = (
        f"Only the next start is from {in_words(disk)}. If it fails, turn the machine off and on: it then "
        f"starts from {in_words(now.disk)}, as before. The firmware must show both disks to GRUB."
    )
    findings.info("once", "", words)
    words = (
        f"Once the system runs from there, add {in_words(now.disk)} as the other half before anything "
        "else: until then, another restart would start the old system from it."
    )
    findings.warning("add-first", "", words)
    title = f"Copy what has been written since, and start once from {in_words(disk)}"
    return Plan(
        operation="boot.convert-restart",
        steps=(Step(title=title, commands=(RestartIntoCopy(disk=disk.link),)),),
        summary=_summary(disk, now.disk),
        takes="some minutes, during which the machine restarts",
        findings=findings.all(),
        claims=(f"array:{array.name}", f"disk:{disk.id}", f"disk:{now.disk.id}"),
    )


def _summary(disk: Disk, old: Disk) -> str:
    return (
        f"The machine restarts once from the copy of the system on the {named(disk)}. The console and all "
        "shares are cut off until it is back. If it does not come back, turn it off and on: it then starts "
        f"from the {named(old)}, as before."
    )
