"""A small drawing of an empty case, for choosing one among several."""

from __future__ import annotations

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from disks.chassis import Chassis

_WIDTH, _HEIGHT, _GAP = 120.0, 72.0, 2.0


def picture(case: Chassis) -> SafeString:
    """Its bays as boxes in true rows and columns. Hidden from screen readers: its name stands beside it."""
    columns = sum(group.columns for group in case.groups) + 0.5 * (len(case.groups) - 1)
    rows = max((group.rows for group in case.groups), default=1)
    across, down = (_WIDTH + _GAP) / max(columns, 1), (_HEIGHT + _GAP) / rows
    boxes: list[tuple[str, ...]] = []
    left = 0.0
    for group in case.groups:
        for bay in group.bays:
            box = (left + bay.column * across, bay.row * down, across - _GAP, down - _GAP)
            boxes.append(tuple(f"{number:.1f}" for number in box))
        left += (group.columns + 0.5) * across
    drawn = format_html_join("", '<rect x="{}" y="{}" width="{}" height="{}" rx="1.5"/>', boxes)
    return format_html(
        '<svg class="case-picture" viewBox="0 0 {} {}" aria-hidden="true">{}</svg>',
        f"{_WIDTH:.0f}", f"{_HEIGHT:.0f}", drawn,
    )  # fmt: skip
