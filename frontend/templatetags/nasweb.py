"""What the templates need to draw values: icons, sizes, times, meters."""

from __future__ import annotations

import json
import shlex
from collections.abc import Sequence
from datetime import UTC, datetime
from functools import cache
from math import ceil
from pathlib import Path
from typing import Any

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe

from frontend import appearance as appearances
from frontend import units
from frontend.shell import Shell, shell_of
from host.files.names import plain
from host.inventory.bays import guessed
from jobs import cache as machine
from jobs import wording

register = template.Library()
_GUESSED = "Guessed"  # short: a page may have a hundred of them, and says beside the chassis from what
_DIST = Path(__file__).parent.parent / "static" / "dist"


@cache
def _inside() -> dict[str, SafeString]:
    # Written by the build from the icon set's own files, so it is trusted markup.
    drawn = json.loads((_DIST / "icons.json").read_text())
    return {name: mark_safe(inside) for name, inside in drawn.items()}  # noqa: S308


@cache
def _icons() -> dict[str, SafeString]:
    frame = '<svg class="icon" viewBox="0 0 24 24" aria-hidden="true">{}</svg>'
    return {name: format_html(frame, inside) for name, inside in _inside().items()}


@cache
def _refs() -> dict[str, SafeString]:
    use = '<svg class="icon"><use href="#i-{}"/></svg>'
    return {name: format_html(use, name) for name in _inside()}


@register.simple_tag
def icon(name: str) -> SafeString:
    """An icon, inlined. Raises `KeyError` for one that build.mjs does not list."""
    return _icons()[name]


@register.simple_tag
def icon_sprite(*names: str) -> SafeString:
    """Icons that `icon_ref` draws, once for the page: a hundred rows then weigh a third."""
    symbols = format_html_join(
        "", '<symbol id="i-{}" viewBox="0 0 24 24">{}</symbol>', ((name, _inside()[name]) for name in names)
    )
    return format_html('<svg class="unseen" aria-hidden="true">{}</svg>', symbols)


@register.simple_tag
def icon_ref(name: str) -> SafeString:
    """An icon of the page's sprite."""
    return _refs()[name]


@register.filter
def size(size_bytes: int | None) -> SafeString | str:
    """Bytes as TiB, with TB and the exact number in a tooltip; a dash for None."""
    if size_bytes is None:
        return "–"
    return format_html(
        '<data value="{}" title="{}">{}</data>', size_bytes, units.exact(size_bytes), units.binary(size_bytes)
    )


@register.filter
def ago(text: str | datetime | None) -> SafeString | str:
    """A time as its age, kept true by the script; the moment itself in a tooltip."""
    found = units.moment(text)
    if found is None:
        return "–"
    seconds = max(0, int((datetime.now(UTC) - found).total_seconds()))
    return format_html(
        '<time datetime="{}" title="{}" data-age="{}">{}</time>',
        found.isoformat(), units.stamp(found), seconds, units.age(seconds),
    )  # fmt: skip


@register.filter
def in_time(text: str | None) -> SafeString | str:
    """When something happens by itself: `in 40 s`, kept true by the script."""
    found = units.moment(text)
    if found is None:
        return "now"
    seconds = max(0, ceil((found - datetime.now(UTC)).total_seconds()))
    return format_html(
        '<time role="timer" datetime="{}" data-until="{}">{}</time>',
        found.isoformat(), seconds, f"in {seconds} s" if seconds else "now",
    )  # fmt: skip


@register.filter
def off_in(text: str | None) -> SafeString | str:
    """When a light goes off, as the time that is left; nothing where nobody knows."""
    found = units.moment(text)
    if found is None:
        return ""
    seconds = max(0, ceil((found - datetime.now(UTC)).total_seconds()))
    # A timer is not read out while it runs, although the notice around it is.
    return format_html(
        '<time class="soft" role="timer" datetime="{}" data-left="{}">{}</time>',
        found.isoformat(), seconds, units.left(seconds),
    )  # fmt: skip


@register.filter
def clock(text: str | datetime | None) -> SafeString | str:
    """A time as date and time of day."""
    found = units.moment(text)
    if found is None:
        return "–"
    return format_html('<time datetime="{}">{}</time>', found.isoformat(), units.stamp(found))


@register.filter
def counted(count: int, words: str) -> str:
    """`2|counted:"disk"` → `2 disks`; `"disk,disks"` gives the plural."""
    word, _, plural = words.partition(",")
    return wording.counted(count, word, plural)


@register.filter
def command_line(argv: Sequence[str]) -> SafeString:
    """A command as it would be typed, each word quoted where a shell needs it, and kept in one piece.

    What is given to it on its input follows `<<<`, as `Command.shown` has it.
    """
    words = (word if word == "<<<" else shlex.quote(word) for word in argv)
    return format_html_join(" ", "<span>{}</span>", ((word,) for word in words))


@register.filter
def file_name(text: str) -> str:
    """A file's name or path as people read it. Addresses and fields hold it as it has to be sent."""
    return plain(text)


@register.filter
def speed(bytes_per_second: float) -> str:
    """`185000000` → `185 MB/s`."""
    return units.rate(bytes_per_second)


@register.simple_tag
def meter(part: float, whole: float, tone: str = "") -> SafeString:
    """A bar that is filled by `part` of `whole`. The figures stand beside it in words."""
    width = 100 * part / whole if whole else 0
    return format_html(
        '<svg class="meter {}" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">'
        '<rect width="{}" height="8" /></svg>',
        tone, f"{max(width, 0.5 if part else 0):.2f}",
    )  # fmt: skip


@register.simple_tag(takes_context=True)
def appearance(context: dict[str, Any]) -> tuple[appearances.Look, ...]:
    """Theme and density, with what this browser chose; the first of each on pages without a request."""
    request = context.get("request")
    return appearances.looks(request) if request is not None else appearances.LOOKS


@register.simple_tag(takes_context=True)
def bay(context: dict[str, Any], label: str) -> SafeString:
    """A bay's label as a badge, with a mark where its disk is only guessed from the order of the ports."""
    if label in _unsure(context):
        return format_html('<span class="bay-badge guessed" title="{}">{}</span>', _GUESSED, label)
    return format_html('<span class="bay-badge">{}</span>', label)


def _unsure(context: dict[str, Any]) -> frozenset[str]:
    around = context.get("around")
    if isinstance(around, Shell):
        return around.guessed
    inventory = machine.current()
    return guessed(inventory.bays, inventory.chassis) if inventory else frozenset()


@register.simple_tag(takes_context=True)
def shell(context: dict[str, Any]) -> Shell:
    """What every page shows around itself. Asked for once a page; parts that come alone ask anew."""
    known = context.get("around")
    if isinstance(known, Shell):
        return known
    return shell_of(context["request"], belongs_to=context.get("belongs_to", ""))
