"""The help of the page that is shown."""

from __future__ import annotations

from typing import Any

from django import template

from frontend.help.texts import TEXTS

register = template.Library()


@register.simple_tag(takes_context=True)
def help_text(context: dict[str, Any]) -> str:
    """Empty where the page has none, as on pages of errors, which no address was found for."""
    found = getattr(context.get("request"), "resolver_match", None)
    return TEXTS.get(found.url_name or "", "") if found else ""
