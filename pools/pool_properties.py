"""Which properties of pools can be set and to what (man zpoolprops, OpenZFS 2.3)."""

from __future__ import annotations

from collections.abc import Mapping

from jobs.planning.findings import Findings
from pools.property_values import Rule, rule_of

_SWITCH = rule_of("on | off")
_POOL: dict[str, Rule] = {
    "autoexpand": _SWITCH,
    "autoreplace": _SWITCH,
    "autotrim": _SWITCH,
    "comment": lambda value: None if len(value) <= 32 and value.isprintable() else "At most 32 characters.",
    "delegation": _SWITCH,
    "failmode": rule_of("wait | continue | panic"),
    "listsnapshots": _SWITCH,
    "multihost": _SWITCH,
}


def check_pool_properties(wanted: Mapping[str, str], field: str, findings: Findings) -> None:
    """Adds a finding for each property that a new pool cannot have set."""
    for name, value in wanted.items():
        where = f"{field}.{name[:60]}"
        if name == "ashift":
            findings.error("wrong-place", where, "ashift has its own field beside the name.")
        elif name not in _POOL:
            known = ", ".join(sorted(_POOL))
            findings.error("unknown-property", where, f"A pool has no such property; known are {known}.")
        elif fault := _POOL[name](value):
            findings.error("bad-value", where, fault)
