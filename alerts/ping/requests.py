"""What may be asked of the ping, and whether it can be so. Pure."""

from __future__ import annotations

from typing import Annotated
from urllib.parse import urlsplit

import msgspec
from msgspec import UNSET, Meta, UnsetType

from alerts.channels.check import check, goes_to
from alerts.channels.hosts import UNKNOWN, Own
from alerts.channels.requests import Values
from alerts.ping.kind import PING
from jobs.planning.findings import Findings

_LEAST, _MOST = 1, 60
Minutes = Annotated[int, Meta(extra_json_schema={"minimum": _LEAST, "maximum": _MOST})]


class SetPing(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Change what is given and keep the rest. `fields.url` is the address, which is never answered, and
    `fields.certificate` is `checked` or `any`; where that changes, the address has to be given again.
    `paused` is for maintenance: nothing is asked, and nothing is said to be wrong with it."""

    fields: Values | UnsetType = UNSET
    every_minutes: Minutes | UnsetType = UNSET
    enabled: bool | UnsetType = UNSET
    paused: bool | UnsetType = UNSET


class PingSettings(msgspec.Struct, frozen=True, kw_only=True):
    """The ping as it is kept: `url` only where it was typed now, `kept` where one is sealed already."""

    certificate: str = "checked"
    url: str = ""
    kept: bool = False
    every_minutes: int = 5
    enabled: bool = True
    paused: bool = False
    goes_to: str = ""


def changed(request: SetPing, before: PingSettings, own: Own = UNKNOWN) -> PingSettings:
    """`before` with the changes. Raises `Refused` with all findings."""
    given = {name: value for name, value in msgspec.structs.asdict(request).items() if value is not UNSET}
    typed = {name: value.strip() for name, value in given.pop("fields", {}).items()}
    values = {"certificate": before.certificate} | {name: text for name, text in typed.items() if text}
    kept = before.kept and not values.get("url")
    findings = Findings()
    check(PING, {**typed, **values}, findings, kept=("url",) if kept else (), own=own)
    if not _LEAST <= given.get("every_minutes", _LEAST) <= _MOST:
        findings.error("bad-value", "every_minutes", f"Enter {_LEAST} to {_MOST} minutes.")
    findings.refuse_on_error()
    if "@" in urlsplit(values.get("url", "")).netloc:
        findings.error("bad-value", "fields.url", "Enter the address without an account.")
    if kept and values["certificate"] != before.certificate:
        message = "Type the address again: it belonged to the old setting of the certificate."
        findings.error("secret-again", "fields.url", message)
    findings.refuse_on_error()
    leads_to = before.goes_to if kept else goes_to(PING, values)[:300]
    return msgspec.structs.replace(
        before, **given, certificate=values["certificate"], url=values.get("url", ""), kept=kept,
        goes_to=leads_to,
    )  # fmt: skip
