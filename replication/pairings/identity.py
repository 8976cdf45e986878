"""pairing.identity: how this machine's SSH server is known, and whether it runs. Read when a code is made."""

from __future__ import annotations

import msgspec

from host.base import Host
from host.commands.peering.peers import OwnHostKeys, SshServerState
from host.contents.ssh import KINDS, public_part

QUESTION = "pairing.identity"


class AskIdentity(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Of this machine."""


class Identity(msgspec.Struct, frozen=True, kw_only=True):
    """Its host keys, and whether its SSH server runs."""

    host_keys: tuple[str, ...]
    running: bool


def answer(_request: AskIdentity, host: Host) -> Identity:
    """Raises `HostError`."""
    found = filter(None, map(public_part, host.run(OwnHostKeys()).stdout.splitlines()))
    keys = sorted(set(found), key=lambda key: (KINDS.index(key.split(" ")[0]), key))
    running = "active" in host.run(SshServerState()).stdout.splitlines()
    return Identity(host_keys=tuple(keys), running=running)
