"""What all operations on shares have in common: making a plan of the desired shares, and storing them."""

from __future__ import annotations

from host.commands.shares.sharing import PATHS
from host.inventory import Inventory, Sharing
from host.inventory.shares import SharingFile
from jobs.plan import Plan, Step
from jobs.planning.findings import Findings
from shares.applying import apply, drifted
from shares.wording import noticed, pause

CLAIM = "sharing:files"  # one at a time: all of them write the same files


def plan_of(
    operation: str,
    title: str,
    sharing: Sharing,
    inventory: Inventory,
    findings: Findings,
    *,
    summary: str,
    notice: str = "",
) -> Plan:
    """The plan that makes the machine serve `sharing`. Where that is so already, only rows change.

    `summary` says what will be, `notice` what connected clients notice, where the steps alone do not say it.
    """
    warn_of_drift(drifted(inventory), findings)
    findings.refuse_on_error()
    steps = apply(sharing, inventory)
    return Plan(
        operation=operation,
        steps=(Step(title=title, commands=()), *steps),
        summary=f"{summary} {notice or noticed(steps)}",
        takes=pause(steps),
        findings=findings.all(),
        claims=(CLAIM,),
    )


def warn_of_drift(files: tuple[SharingFile, ...], findings: Findings) -> None:
    """Warn of what somebody wrote into our files, which is written over."""
    for file in files:
        message = (
            f"Somebody changed {PATHS[file]} by hand. The change will be overwritten; the plan shows it."
        )
        findings.warning("drift", "", message)
