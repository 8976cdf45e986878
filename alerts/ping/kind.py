"""The fields of the ping, as those of a kind of channel: so that its address is checked and sealed alike."""

from __future__ import annotations

import msgspec

from alerts.channels.kinds import KINDS, Kind

_URL, _CERTIFICATE = KINDS["webhook"].fields
PING = Kind(
    name="ping", title="Dead man's ping",
    words="An address elsewhere is asked regularly while all is well, and warns you when that stops.",
    fields=(
        msgspec.structs.replace(
            _URL, title="Address to ask", example="https://hc-ping.com/…",
            hint="From healthchecks.io, Uptime Kuma or a similar service. Redirects are not followed.",
        ),
        _CERTIFICATE,
    ),
)  # fmt: skip
