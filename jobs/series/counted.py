"""The counters of the last round as the kernel had them, for whoever counts on from them, such as Prometheus.

They lie beside the last day of the series, in a file in memory that is replaced whole.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

import msgspec
from django.conf import settings

from host.kernel.counters import Counters

_decoder = msgspec.json.Decoder(Counters)


def keep(counters: Counters) -> None:
    """Replace the counters of the round before."""
    path = _path()
    new = path.with_name(f"{path.name}.new")
    file = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC | os.O_NOFOLLOW, 0o640)
    with os.fdopen(file, "wb") as stream:
        stream.write(msgspec.json.encode(counters))
    new.replace(path)


def newest() -> Counters | None:
    """Those of the last round, however old; None before the first."""
    with suppress(OSError, msgspec.DecodeError):
        return _decoder.decode(_path().read_bytes())
    return None


def _path() -> Path:
    recent = Path(settings.NASWEB_RECENT)
    return recent.with_name(f"{recent.name}.counters")
