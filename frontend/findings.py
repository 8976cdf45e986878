"""Findings beside the fields they speak of."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import msgspec

from jobs.plan import Finding


def messages(findings: Iterable[Finding], *levels: str) -> tuple[str, ...]:
    """What findings of these levels say, each thing once: several vdevs may have the same said of them."""
    return tuple(dict.fromkeys(one.message for one in findings if one.level in levels))


class Errors(msgspec.Struct, frozen=True, kw_only=True):
    """Messages by the form's field; `others` speak of no single field."""

    by_field: dict[str, tuple[str, ...]] = {}
    others: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.by_field or self.others)


def beside(findings: Iterable[Finding], fields: Mapping[str, str]) -> Errors:
    """The errors among `findings`, sorted to the form's fields.

    `fields` maps the start of a finding's path to a field of the form: `{"vdevs": "disks"}`.
    """
    found: dict[str, tuple[str, ...]] = {}
    others: tuple[str, ...] = ()
    for finding in findings:
        if finding.level != "error":
            continue
        start = next((s for s in sorted(fields, key=len, reverse=True) if _within(finding.field, s)), None)
        if start is None:
            others = (*others, finding.message)
        else:
            found[fields[start]] = (*found.get(fields[start], ()), finding.message)
    return Errors(by_field=found, others=others)


def _within(path: str, start: str) -> bool:
    return path == start or path.startswith((f"{start}.", f"{start}["))
