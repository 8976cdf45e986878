"""files.restores: how the last restores into a dataset stand."""

from __future__ import annotations

from datetime import timedelta

import msgspec
from django.utils import timezone

from host.base import Host
from host.files.answers import Restored
from host.probe.files import read_restore
from jobs.models import Job
from jobs.planning.shape import read
from pools.files.reach import Text
from pools.files.restore import RestoreFromSnapshot, place

_DAYS = 7
_MOST = 10


class AskRestores(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Of which dataset."""

    dataset: Text


class Restores(msgspec.Struct, frozen=True, kw_only=True):
    """The last ten of a week, newest first; each tells how far it has come, or how it ended."""

    results: tuple[Restored, ...]


def answer(request: AskRestores, host: Host) -> Restores:
    """Raises `HostError`."""
    since = timezone.now() - timedelta(days=_DAYS)
    prefix = f"{request.dataset}@"
    jobs = Job.objects.filter(
        operation="snapshot.restore", submitted_at__gt=since, request__snapshot__startswith=prefix
    )
    names: dict[str, None] = {}
    for asked in jobs.order_by("-pk").values_list("request", flat=True)[: 5 * _MOST]:
        wish = read(RestoreFromSnapshot, asked).value
        if wish is not None and (where := place(wish)):
            names[where.restore] = None
    found = (read_restore(host, name) for name in list(names)[:_MOST])
    return Restores(results=tuple(restored for restored in found if restored))
