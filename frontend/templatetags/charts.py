"""The charts that the page of a thing shows of it."""

from __future__ import annotations

from django import template

from frontend.charts.kinds import Of
from frontend.charts.page import drawn, subject_of
from jobs import cache

register = template.Library()


@register.inclusion_tag("charts/_of.html")
def charts_of(kind: Of, name: str, *keys: str) -> dict[str, object]:
    """The charts with these keys, or all, of a port, pool or dataset; nothing of what is not there."""
    inventory = cache.current()
    subject = None if inventory is None else subject_of(kind, name, inventory)
    if subject is None:
        return {}
    found = [one for one in drawn(subject) if not keys or one.kind.key in keys]
    return {"charts": found, "subject": subject, "range": "day"}
