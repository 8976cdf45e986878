"""The step behind every import: `zpool import` mounts nothing, and this mounts what may be mounted."""

from __future__ import annotations

from host.commands.pools.mount import MountPool
from jobs.plan import Step
from jobs.planning.findings import Findings

OPEN = "/mnt, /srv and /media"


def mount_steps(name: str, *, foreign: bool, readonly: bool, unmounted: bool = False) -> tuple[Step, ...]:
    """One, or none where nothing can be changed and nothing is to be mounted."""
    if unmounted and readonly:
        return ()
    command = MountPool(name=name, foreign=foreign, readonly=readonly, unmounted=unmounted)
    if unmounted:
        return (Step(title=f"Make {name} harmless, and mount nothing", commands=(command,)),)
    where = f"what lies below {OPEN}" if foreign else "what lies outside folders of the system"
    return (Step(title=f"Mount of {name} {where}", commands=(command,)),)


def add_mount_findings(
    findings: Findings, *, foreign: bool, readonly: bool, unmounted: bool, altroot: str | None
) -> None:
    """What is mounted, what is left, and what is changed in the pool for that."""
    if foreign and not readonly:
        message = (
            "Another machine used it last, so it is made harmless first: setuid=off and devices=off on "
            "the pool, sharenfs=off and sharesmb=off, and mountpoint=none where it asks for a folder "
            f"outside {OPEN}. What it asked for is kept in the property nasweb:asked-mountpoint. To leave "
            "it unchanged, for example before it returns to that machine, import it read-only."
        )
        findings.warning("foreign", "guid", message)
    elif foreign:
        message = "Another machine used it last: it is mounted without set-user-ID programs and devices."
        findings.info("foreign", "guid", message)
    if not unmounted:
        findings.info("mounts", "unmounted", _mounts(foreign=foreign, readonly=readonly, altroot=altroot))


def _mounts(*, foreign: bool, readonly: bool, altroot: str | None) -> str:
    if altroot is not None:
        return f"Its datasets are mounted below {altroot}, each at its own mount point there."
    if foreign:
        return (
            f"Its datasets are mounted at their own mount points below {OPEN}, and nowhere else. The others "
            "stay unmounted until you give them a mount point there."
        )
    kept = "" if readonly else " Such a mount point becomes none."
    return (
        "Its datasets are mounted at their own mount points, except in folders of the system such as /etc, "
        f"/usr or /var.{kept} The job says which stay unmounted."
    )
