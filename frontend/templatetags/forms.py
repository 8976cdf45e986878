"""What forms need: a field's errors beside it, and the attributes that tie both together."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from frontend.doctor.view import finding_key
from frontend.findings import Errors
from frontend.templatetags.nasweb import icon

register = template.Library()


@register.simple_tag
def errors_of(errors: Errors | str, field: str) -> SafeString:
    """The messages about `field`, named `<field>-error` for aria-describedby."""
    found = errors.by_field.get(field, ()) if isinstance(errors, Errors) else ()
    if not found:
        return SafeString("")
    lines = format_html_join(
        "", '<p class="error">{}<span>{}</span></p>', ((icon("circle-alert"), m) for m in found)
    )
    return format_html('<div class="errors" id="{}-error">{}</div>', field, lines)


@register.simple_tag
def invalid(errors: Errors | str, field: str, *, hint: str = "") -> SafeString:
    """Attributes of the field: invalid or not, and what describes it."""
    wrong = isinstance(errors, Errors) and field in errors.by_field
    described = " ".join(filter(None, [f"{field}-error" if wrong else "", hint]))
    attributes = format_html(' aria-describedby="{}"', described) if described else SafeString("")
    return format_html(' aria-invalid="true"{}', attributes) if wrong else attributes


@register.filter
def lookup(mapping: Mapping[str, Any], key: str) -> Any:
    """`mapping[key]`, or an empty text."""
    return mapping.get(key, "")


@register.filter
def mine(key: str, sent: Mapping[str, str]) -> bool:
    """Whether the form that was sent is that of the finding called `key`."""
    return bool(sent) and finding_key(sent["code"], sent["subject"]) == key


@register.filter
def suffix(name: str, number: int) -> str:
    """`"rows"|suffix:2` → `rows-2`: a field of a block that repeats."""
    return f"{name}-{number}"


@register.filter
def attribute(thing: Any, name: str) -> Any:
    """`thing.name`, where the name is a variable."""
    return getattr(thing, name, "")


@register.simple_tag
def shut(why: str | None, name: str) -> SafeString:
    """Attributes of a button that cannot be pressed; its reason has the id `<name>-why`."""
    if not why:
        return SafeString("")
    return format_html(' disabled aria-describedby="{}-why"', name)


@register.filter
def sent_of(key: str, sent_key: str) -> bool:
    """Whether what was typed belongs to the form of `key`, on a page that has several."""
    return bool(key) and key == sent_key


@register.filter
def may(user: Any, scope: str) -> bool:
    """Whether the user's role allows `scope`."""
    return bool(user.has_perm(scope))
