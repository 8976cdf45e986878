"""An open file as an answer: an attachment that no browser runs or shows, in parts where asked for."""

from __future__ import annotations

import re
from urllib.parse import quote

from django.http import FileResponse, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.http import quote_etag

from host.files.names import readable
from pools.files.download import OpenDownload

_RANGE = re.compile(r"bytes=(\d{0,18})-(\d{0,18})")
_SAFE = re.compile(r"[^A-Za-z0-9 ._()\-]")


def attachment(download: OpenDownload, *, asked_range: str | None, if_range: str | None) -> HttpResponseBase:
    """200 with all of it, 206 with the part that was asked for, 416 where there is no such part."""
    size = download.handed.size_bytes
    entry = download.handed.entry
    etag = quote_etag(f"{entry.inode:x}-{entry.modified_ns:x}-{entry.size_bytes:x}") if entry else None
    part = _part(asked_range, size) if size and if_range in {None, etag} else None
    if part == ():
        download.close()
        return HttpResponse(status=416, headers={"Content-Range": f"bytes */{size}"})
    response = FileResponse(download, content_type="application/octet-stream")
    response.headers["Content-Disposition"] = disposition(download.handed.name)
    # It is somebody's file: nothing in it may act as a page of this console.
    response.headers["Content-Security-Policy"] = "sandbox; default-src 'none'"
    response.headers["X-Content-Type-Options"] = "nosniff"
    response.headers["Cache-Control"] = "no-store, private"
    # nginx would write a part of it to the system's own disk first.
    response.headers["X-Accel-Buffering"] = "no"
    if size is None:
        return response
    response.headers["Accept-Ranges"] = "bytes"
    if etag:
        response.headers["ETag"] = etag
    response.headers["Content-Length"] = str(size)
    if part:
        start, end = part
        download.limit(start, end - start + 1)
        response.status_code = 206
        response.headers["Content-Range"] = f"bytes {start}-{end}/{size}"
        response.headers["Content-Length"] = str(end - start + 1)
    return response


def disposition(name: str) -> str:
    """RFC 6266: a plain name for old programs, and the name in UTF-8."""
    text = readable(name).decode("utf-8", "replace")
    plain = _SAFE.sub("_", text)[:150] or "file"
    return f"attachment; filename=\"{plain}\"; filename*=UTF-8''{quote(text, safe='')}"


def _part(asked: str | None, size: int) -> tuple[int, int] | tuple[()] | None:
    """First and last byte; nothing for a part beyond the end; None for all of it."""
    match = _RANGE.fullmatch(asked or "")
    if match is None or not (match[1] or match[2]):
        return None  # no part, several, or in a form that RFC 9110 lets one leave aside
    if not match[1]:
        length = min(int(match[2]), size)
        return (size - length, size - 1) if length else ()
    start, end = int(match[1]), int(match[2]) if match[2] else size - 1
    if start >= size:
        return ()
    return (start, min(end, size - 1)) if end >= start else None
