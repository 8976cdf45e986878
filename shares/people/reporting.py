"""What plans report about signing in, and what prevents it."""

from __future__ import annotations

from datetime import date

from host.commands.shares.accounts import FIRST_DAY, LAST_DAY
from host.inventory import Inventory
from jobs.planning.findings import Findings

_NFS_GROUPS = 16


def check_day(day: date | None, inventory: Inventory, findings: Findings) -> None:
    """The day from which somebody cannot sign in: an error where Samba cannot store it."""
    if day is None:
        return
    if not FIRST_DAY <= day <= LAST_DAY:
        findings.error("bad-day", "expires", f"Choose a day until {LAST_DAY}, or none at all.")
    elif day.isoformat() <= inventory.as_of[:10]:
        findings.warning(
            "expired", "expires", f"{day} is not in the future: they can no longer sign in from now on."
        )
    else:
        message = f"They can sign in until {day}, 00:00 UTC. A connection that is open then stays open."
        findings.info("expires", "expires", message)


def check_samba(field: str, inventory: Inventory, findings: Findings) -> None:
    """An error where Samba could not be asked, so that nothing can be set there."""
    if not inventory.accounts.samba_answers:
        message = "Samba, which stores the passwords, is not installed or does not respond."
        findings.error("no-samba", field, message)


def warn_of_many_groups(groups: tuple[str, ...], findings: Findings) -> None:
    """NFS sends a server 16 groups of a person and no more (RFC 5531, AUTH_SYS)."""
    if len(groups) > _NFS_GROUPS:
        message = f"Over NFS only {_NFS_GROUPS} of the {len(groups)} groups count. SMB uses all of them."
        findings.warning("many-groups", "groups", message)
