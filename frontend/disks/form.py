"""What is typed about a disk: its note and dates."""

from __future__ import annotations

from typing import Any

import msgspec
from django.http import QueryDict

from disks.models import DiskRecord


class NoteForm(msgspec.Struct, frozen=True, kw_only=True):
    """Texts as typed; a date is empty or YYYY-MM-DD."""

    note: str = ""
    purchased: str = ""
    warranty_until: str = ""


def note_of(record: DiskRecord) -> NoteForm:
    """What is kept of the disk."""
    return NoteForm(
        note=record.note,
        purchased=record.purchased.isoformat() if record.purchased else "",
        warranty_until=record.warranty_until.isoformat() if record.warranty_until else "",
    )


def note_sent(post: QueryDict) -> NoteForm:
    """What was typed."""
    return NoteForm(
        note=post.get("note", "").replace("\r\n", "\n").strip(),
        purchased=post.get("purchased", "").strip(),
        warranty_until=post.get("warranty_until", "").strip(),
    )


def note_data(form: NoteForm) -> dict[str, Any]:
    """The fields of `disk.note`; an empty date is none."""
    return {
        "note": form.note,
        "purchased": form.purchased or None,
        "warranty_until": form.warranty_until or None,
    }
