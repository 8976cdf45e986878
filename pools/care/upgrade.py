"""pool.upgrade: enable the features that a pool was made without. There is no way back."""

from __future__ import annotations

import msgspec

from host.commands.pools.care import ZpoolUpgrade
from host.inventory import Inventory, Pool
from jobs.plan import Plan, Step
from jobs.planning.findings import Findings
from jobs.wording import counted, listed
from pools.care.features import first_reader, shut_out, since
from pools.chosen import PoolText, check_writable, imported

_MOST_NAMED = 3


class UpgradePool(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Enable all features that this system knows and the pool does not have yet."""

    name: PoolText


def plan(request: UpgradePool, inventory: Inventory) -> Plan:
    """Raises `Refused` where there is nothing to enable."""
    findings = Findings()
    pool = imported(request.name, inventory, findings)
    check_writable(pool, findings)
    compatibility = pool.properties.get("compatibility", "off")
    if not pool.to_upgrade and compatibility != "off":
        message = (
            f"{pool.name} is limited to the features of “{compatibility}” by its property compatibility. "
            "Set that to off first."
        )
        findings.error("held-back", "name", message)
    elif not pool.to_upgrade:
        message = f"{pool.name} has all features that this system knows."
        findings.error("nothing-to-upgrade", "name", message)
    findings.refuse_on_error()
    _add_findings(pool, findings)
    count = len(pool.to_upgrade)
    title = f"Enable {count} feature{'' if count == 1 else 's'} on {pool.name}"
    return Plan(
        operation="pool.upgrade",
        steps=(Step(title=title, commands=(ZpoolUpgrade(name=pool.name),)),),
        summary=_summary(pool),
        findings=findings.all(),
        claims=(f"pool:{pool.name}",),
    )


def _summary(pool: Pool) -> str:
    features = sorted(pool.to_upgrade)
    names = f": {listed(features)}" if len(features) <= _MOST_NAMED else ""
    debian = [system for system in shut_out(features) if system.startswith("Debian")]
    reader = first_reader(features)
    older = f"OpenZFS before {reader}" if reader else "an older OpenZFS"
    such = f", such as that of {debian[-1]}," if debian else ""
    return (
        f"{pool.name} gets {counted(len(features), 'new feature')}{names}. There is no way back: once they"
        f" are in use, {older}{such} cannot import the pool."
    )


def _add_findings(pool: Pool, findings: Findings) -> None:
    features = pool.to_upgrade
    reader, systems = first_reader(features), shut_out(features)
    older = f"OpenZFS before {reader}" if reader else "an older OpenZFS"
    such = f" ({', '.join(systems)})" if systems else ""
    message = (
        f"There is no way back: once these features are in use, {older}{such} cannot import {pool.name} "
        "any more, or only read-only. A rescue stick must be as new."
    )
    findings.warning("no-way-back", "name", message)
    named = [f"{name} (since {release})" if (release := since(name)) else name for name in sorted(features)]
    findings.info("features", "name", f"Features: {', '.join(named)}.")
    if pool.checkpoint is None:
        message = (
            "A checkpoint taken now would be a way back until it is discarded: it returns to the pool "
            "without these features, and without everything written since."
        )
        findings.info("checkpoint-first", "name", message)
