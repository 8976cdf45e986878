"""Which channels cannot be used because their secrets can no longer be opened.

Secrets are sealed for the worker of one machine. On new sticks, with the settings of the old ones, there
is another worker: the channels are there, and their passwords have to be typed again. The worker finds out
before there is anything to report, and says so in the channel's row.
"""

from __future__ import annotations

from hashlib import blake2b

import msgspec
from django.views.decorators.debug import sensitive_variables

from alerts.channels import sealing
from alerts.channels.kinds import KINDS
from alerts.channels.models import Channel
from alerts.evidence import LockedChannel


class _Seen:
    """What was examined last, in this one worker: nothing is opened anew while nothing differs."""

    mark: bytes = b""


def examine(private: str) -> None:
    """Store for each channel what the worker's key cannot open, and what is not there at all."""
    rows = list(Channel.objects.all())
    mark = _mark(private, rows)
    if mark == _Seen.mark:
        return
    for row in rows:
        found = list(lost(row, private))
        if found != row.lost:
            # Only as long as nobody has typed it meanwhile.
            Channel.objects.filter(pk=row.pk, secrets=row.secrets).update(lost=found)
    _Seen.mark = mark


@sensitive_variables("private")
def lost(row: Channel, private: str) -> tuple[str, ...]:
    """The names of secrets that have to be typed again."""
    kind = KINDS.get(row.kind)
    if kind is None:
        return ()
    needed = (one.name for one in kind.fields if one.secret and one.required and one.name not in row.secrets)
    return (*needed, *(name for name in row.secrets if not _opens(row, name, private)))


def titles(row: Channel) -> tuple[str, ...]:
    """What has to be typed again, as the form calls it."""
    kind = KINDS.get(row.kind)
    fields = (kind.field(name) for name in row.lost) if kind else ()
    return tuple(field.title for field in fields if field is not None)


def care() -> tuple[LockedChannel, ...]:
    """Channels that are switched on and cannot be used, for the doctor and the incidents."""
    rows = Channel.objects.filter(enabled=True).exclude(lost=[])
    return tuple(LockedChannel(id=row.pk, name=row.name, titles=titles(row)) for row in rows)


@sensitive_variables("private")
def _opens(row: Channel, name: str, private: str) -> bool:
    try:
        sealing.unseal(row.secrets[name], private, sealing.place(KINDS[row.kind], row.fields, name))
    except sealing.CannotOpen:
        return False
    return True


@sensitive_variables("private")
def _mark(private: str, rows: list[Channel]) -> bytes:
    known = [
        sealing.public_of(private),
        *([row.pk, row.kind, row.fields, row.secrets, row.lost] for row in rows),
    ]
    return blake2b(msgspec.json.encode(known)).digest()
