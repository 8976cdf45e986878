"""What a restart or a shutdown interrupts, and what the next start will be like, as findings of its plan.

What moves while the plan is read, such as who is connected, is in the words of findings and in notes: the
digest does not hold it, or nothing could ever be restarted.
"""

from __future__ import annotations

from host.boot_pair import boot_pair, in_words
from host.inventory import Dataset, Inventory, MdArray, Pool
from host.repositories.known import BackupRun
from jobs.plan import Finding, Refused
from jobs.planning.findings import Findings
from jobs.wording import counted
from machine.power.use import MachineUse
from machine.power.use import in_words as client_words

_NAMED = 10
_MOVES = {"SCRUB": "scrub", "RESILVER": "resilver"}


def claims(inventory: Inventory) -> tuple[str, ...]:
    """This start of the machine is among them, and so in the digest: a job that was left waiting, and a plan
    that was read before, do not restart the machine a second time."""
    return ("machine:power", *start_of(inventory))


def start_of(inventory: Inventory) -> tuple[str, ...]:
    """The claim on this start; none where the kernel does not tell one from another."""
    return (f"start:{inventory.naming.boot}",) if inventory.naming.boot else ()


def findings_of(inventory: Inventory, use: MachineUse) -> tuple[Finding, ...]:
    """All that stands in the way of going down now or, where nothing does, all that is worth knowing."""
    findings = Findings()
    try:
        refuse(inventory, use, findings)
    except Refused as refused:
        return refused.findings
    warn(inventory, use, findings)
    return findings.all()


def refuse(inventory: Inventory, use: MachineUse, findings: Findings) -> None:
    """What must not be cut off. Raises `Refused`."""
    if use.ordered is not None:
        by = f": job {use.ordered_by.id} of {use.ordered_by.by} asked for it" if use.ordered_by else ""
        will = "restarts" if use.ordered == "restart" else "shuts down"
        findings.error("already-ordered", "", f"The machine {will} within seconds{by}.")
    copy = inventory.boot.conversion
    if copy is not None and copy.running:
        message = (
            "The system is being copied onto a boot pair. Wait until that has finished, or discard the "
            "copy on the page “Boot pair”."
        )
        findings.error("system-copied", "", message)
    for job in use.jobs:
        if job.must_end:
            message = (
                f"Job {job.id} of {job.by} is running: {job.title}. Wait until it has finished, or abort "
                "it on its page."
            )
            findings.error("job-runs", "", message)
    findings.refuse_on_error()


def connected(use: MachineUse) -> str:
    """Who is connected, as a sentence."""
    if use.clients is None:
        return "It is not known who is connected to the shares: they do not respond."
    if not use.connected:
        return "Nobody is connected to a share."
    named = "; ".join(map(client_words, use.clients[:_NAMED]))
    more = use.connected - len(use.clients[:_NAMED])
    rest = f"; and {more} more" if more > 0 else ""
    written = sum(client.writing for client in use.clients)
    lost = " Unsaved changes in files being written are lost." if written else ""
    return f"{counted(use.connected, 'client')} connected: {named}{rest}.{lost}"


def warn(inventory: Inventory, use: MachineUse, findings: Findings) -> None:
    """What is cut off, and what will not be as before."""
    _warn_of_work(inventory, use, findings)
    _warn_of_copies(inventory, findings)
    _warn_of_start(inventory, findings)
    for pool in inventory.pools:
        if (move := _move(pool)) is not None:
            findings.info("goes-on", "", f"The {move} of {pool.name} continues after the next start.")
    for array in inventory.arrays:
        if array.work is not None:
            findings.info("array-work", "", _array_words(array))


def locked_after(inventory: Inventory) -> tuple[Dataset, ...]:
    """The encryption roots that are unlocked now and ask for their key at each start."""
    return tuple(
        one
        for one in inventory.datasets
        if one.value("encryptionroot") == one.name
        and one.value("keystatus") == "available"
        and one.value("keylocation") in {None, "prompt"}
    )


def _warn_of_work(inventory: Inventory, use: MachineUse, findings: Findings) -> None:
    for job in use.jobs:
        findings.info("job-cut", "", f"Job {job.id} of {job.by} is running and is cut off: {job.title}.")
    burning = {unit.serial for unit in inventory.units if unit.kind == "burn-in" and unit.state == "running"}
    for disk in inventory.disks:
        if disk.serial in burning:
            message = f"The burn-in of {in_words(disk)} ends without a verdict. It has to be started again."
            findings.warning("burn-in", "", message)
    if use.restores:
        message = f"{counted(use.restores, 'restore')} of files under way: cut off, and to be started again."
        findings.info("restores-cut", "", message)
    if use.rights_runs:
        message = f"{counted(use.rights_runs, 'change')} of folder permissions under way: cut off half done."
        findings.info("rights-cut", "", message)
    if use.measurements:
        message = (
            f"{counted(use.measurements, 'measurement')}, such as benchmarks and scans, under way: cut off, "
            "and to be started again."
        )
        findings.info("measurements-cut", "", message)
    if inventory.moved.phase == "copying":
        message = f"The first copy of {inventory.moved.named} to {inventory.moved.pool} is cut off."
        findings.warning("state-copy", "", message)


def _warn_of_copies(inventory: Inventory, findings: Findings) -> None:
    for task in inventory.replicating.tasks:
        if task.running:
            then = "What has arrived stays, and its next run goes on from there."
            findings.info("replication-cut", "", f"The replication {task.name} is cut off. {then}")
        if task.proving:
            findings.info("proof-cut", "", f"The proof of the replication {task.name} is cut off.")
    for one in inventory.rewrites:
        if one.running:
            then = "What was copied stays, and it can go on from there."
            findings.info("rewrite-cut", "", f"The rewrite of {one.dataset} is cut off. {then}")
        if one.comparing:
            message = f"The comparison of {one.copy} with {one.dataset} is cut off."
            findings.info("comparison-cut", "", message)
    for repository in inventory.backups.repositories:
        if repository.running is not None:
            findings.info("backup-cut", "", _backup_words(repository.name, repository.running))


def _backup_words(repository: str, run: BackupRun) -> str:
    match run.action:
        case "backup":
            then = "What it has stored is not lost: its next run goes on from there."
            return f"The backup {run.backup} is cut off. {then}"
        case "check":
            return f"The check of {repository} is cut off."
        case "restore":
            return f"The restore from {repository} is cut off, and has to be started again."


def _warn_of_start(inventory: Inventory, findings: Findings) -> None:
    if locked := locked_after(inventory):
        names = ", ".join(one.name for one in locked)
        findings.warning(
            "locked-after", "", f"Locked after the next start until somebody unlocks them: {names}."
        )
    pair = boot_pair(inventory)
    if pair is not None and not pair.complete:
        message = "Neither half of the boot pair is complete: the machine may not be able to start again."
        if pair.whole:
            alone = in_words(pair.whole[0].disk)
            message = f"The boot pair is degraded: the machine can only start from {alone}."
        findings.warning("boot-degraded", "", f"{message} Complete the pair first.")
    if inventory.network.pending is not None:
        message = f"The change of {inventory.network.pending.interface} is not confirmed: it is reverted."
        findings.warning("network-pending", "", message)
    for pool in inventory.pools:
        if pool.state == "SUSPENDED":
            message = (
                f"{pool.name} is suspended, and the machine may not shut down by itself: if it has not "
                "after five minutes, hold its power button."
            )
            findings.warning("pool-suspended", "", message)
        if inventory.facts.boot_import and inventory.facts.boot_import.brings_back(pool.guid) is False:
            message = f"{pool.name} is not imported when the machine starts. See the doctor for the reason."
            findings.warning("not-imported", "", message)


def _move(pool: Pool) -> str | None:
    """What the kernel does to the pool, and takes up again where it was."""
    if pool.scan is not None and pool.scan.state == "SCANNING":
        return _MOVES.get(pool.scan.function)
    if pool.removal is not None and pool.removal.state == "SCANNING":
        return "removal of a vdev"
    if pool.expansion is not None and pool.expansion.state == "SCANNING":
        return "expansion"
    return None


def _array_words(array: MdArray) -> str:
    kind = array.work.kind if array.work else ""
    if kind in {"check", "repair"}:
        return f"The {kind} of the array {array.name} is cut off."
    return f"The {kind} of the array {array.name} continues after the next start."
