"""Looks at another machine through its connection; prints a `Probed` as JSON, whatever was found.

`python -m host.programs.peering.connection --connection ID --kind nasweb|ssh --host HOST --port N [--user
USER] [--dataset NAME]`
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import msgspec

from host.base import Host, HostError
from host.commands.base import Command
from host.connections import folder
from host.contents import ssh
from host.local import LocalHost
from host.pairing.probed import Probed, probe


class ScanHere(Command, frozen=True, kw_only=True):
    """`host.commands.peering.connections.ScanHostKeys`, by a program that has a network already."""

    reads = True
    timeout_s = 40.0
    good_exits = (0, 1)
    host: ssh.SshHost
    port: ssh.SshPort

    def argv(self) -> tuple[str, ...]:
        return ssh.scan(self.host, self.port)


def looked(asked: argparse.Namespace, host: Host, trusted: str) -> Probed:
    """`trusted`: the connection's list of known hosts. Raises `HostError`."""
    found = probe(host, asked.connection, asked.kind, asked.dataset, asked.user)
    if found.trouble != "host-key":
        return found
    shown = ssh.scanned_keys(host.run(ScanHere(host=asked.host, port=asked.port)).stdout)
    if set(trusted.splitlines()) & set(ssh.known_hosts(asked.connection, shown).splitlines()):
        return found
    return msgspec.structs.replace(found, shown_keys=shown)


def main(arguments: list[str] | None = None, *, host: Host | None = None) -> int:
    """The exit status."""
    parser = argparse.ArgumentParser(prog="python -m host.programs.peering.connection")
    for word in ("connection", "host"):
        parser.add_argument(f"--{word}", required=True)
    parser.add_argument("--kind", choices=("nasweb", "ssh"), required=True)
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--user", default="")
    parser.add_argument("--dataset")
    asked = parser.parse_args(arguments)
    try:
        known = Path(folder(asked.connection), "known_hosts")
        found = looked(asked, host or LocalHost(), known.read_text() if known.exists() else "")
    except (HostError, OSError) as error:
        sys.stderr.write(f"{error}\n")
        return 3
    sys.stdout.write(f"{msgspec.json.encode(found).decode()}\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
