"""Where the journal is sent."""

from __future__ import annotations

from typing import Literal

import msgspec

LogProtocol = Literal["tcp", "udp", "tls"]


class LogTarget(msgspec.Struct, frozen=True, kw_only=True):
    """A log server that takes RFC 5424. `authority` is the PEM text of who signs its certificate; empty: one
    of those that the system trusts."""

    protocol: LogProtocol
    host: str
    port: int
    authority: str = ""


class LogForwarding(msgspec.Struct, frozen=True, kw_only=True):
    """What is set, and whether the service runs. `altered`: the file says what the console did not write."""

    target: LogTarget | None = None
    altered: bool = False
    active: bool = False
