"""A label to print and stick onto a disk's sled."""

from __future__ import annotations

from urllib.parse import urlencode

import segno
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import render
from django.utils.safestring import SafeString, mark_safe

from disks.links import disk_href
from frontend.access import page
from frontend.disks.page import find
from frontend.missing import missing
from jobs import cache


@page("disks:read")
def label(request: HttpRequest, disk_id: str) -> HttpResponseBase:
    """The label of one disk: its bay and serial to read, its page's address to scan."""
    disk = find(cache.current(), disk_id)
    if disk is None or not disk.links:  # what is called by its kernel name may be another one tomorrow
        return missing(request, "This disk is not in the machine")
    # The serial finds the disk even when another release of the system names its links otherwise.
    query = f"?{urlencode({'serial': disk.serial})}" if disk.serial else ""
    address = request.build_absolute_uri(f"{disk_href(disk.id)}{query}")
    return render(request, "disks/disk_label.html", {"disk": disk, "address": address, "code": code(address)})


def code(text: str) -> SafeString:
    """`text` as a QR code in SVG, which survives a scratch over 15 % of it."""
    drawn = segno.make(text, error="m", micro=False)
    # Drawn by the library out of squares alone: no part of `text` stands in the markup.
    return mark_safe(drawn.svg_inline(border=2, svgclass="qr", lineclass=None, omitsize=True))  # noqa: S308
