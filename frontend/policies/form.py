"""The form of a policy: fields to text and back. The rules are those of the text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from pools.policies.rules.policy import DAYS, EVERY_MINUTES, TIERS, BadPolicy, Policy, parse, text_of

FIELDS = (*TIERS, "every", "at", "on", "max_age", "tz")
_KEYS = {"max_age": "max-age"}
_DAY_NAMES = ("Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday")
DAY_CHOICES = tuple(zip(DAYS, _DAY_NAMES, strict=True))
EVERY_CHOICES = tuple(f"{minutes}m" for minutes in EVERY_MINUTES)


class PolicyForm(msgspec.Struct, frozen=True, kw_only=True):
    """What the fields hold, as text."""

    values: dict[str, str]


def of_policy(policy: Policy, time_zone: str) -> PolicyForm:
    """The fields of a policy; `time_zone` where it has no tiers yet."""
    words = dict(part.split("=", 1) for part in text_of(policy).split() if "=" in part)
    values = {field: words.get(_KEYS.get(field, field), "") for field in FIELDS}
    values["every"] = values["every"] or "15m"
    values["at"] = values["at"] or "00:00"
    values["on"] = values["on"] or "mon"
    values["tz"] = values["tz"] or ("UTC" if policy.tiers else time_zone)
    return PolicyForm(values=values)


def of_post(data: Mapping[str, Any]) -> PolicyForm:
    """What was sent."""
    return PolicyForm(values={field: str(data.get(field, "")).strip()[:80] for field in FIELDS})


def text(form: PolicyForm) -> str:
    """The policy that the fields say. What has no effect is left out: nobody wrote it by hand."""
    values = form.values
    parts = [f"{tier}={values[tier]}" for tier in TIERS if values[tier] not in {"", "0"}]
    if values["frequent"] not in {"", "0"} and values["every"]:
        parts.append(f"every={values['every']}")
    if values["at"]:
        parts.append(f"at={values['at']}")
    if values["weekly"] not in {"", "0"} and values["on"]:
        parts.append(f"on={values['on']}")
    if values["max_age"]:
        parts.append(f"max-age={values['max_age']}")
    if values["tz"]:
        parts.append(f"tz={values['tz']}")
    return " ".join(parts)


def read(form: PolicyForm) -> tuple[Policy | None, dict[str, tuple[str, ...]]]:
    """The policy, or messages by field; those of the whole stand at the first field."""
    try:
        return parse(text(form)), {}
    except BadPolicy as bad:
        fields = {key: field for field, key in _KEYS.items()}
        found: dict[str, tuple[str, ...]] = {}
        for key, message in bad.faults:
            field = fields.get(key, key) if fields.get(key, key) in FIELDS else "daily"
            found[field] = (*found.get(field, ()), message)
        return None, found
