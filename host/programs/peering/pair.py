"""Gives another Nasweb this connection's key and keeps what it answers.

`python -m host.programs.peering.pair --connection ID --name NAME --host HOST --port PORT`, with the code as a
line on its standard input. Ends with 0 and what was answered as JSON; with 3 and one line why where nothing
was paired.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

import msgspec

from host.connections import folder
from host.contents import ssh
from host.pairing.exchange import NotPaired, Post, pair, post
from host.pairing.protocol import Answering, code_fault, plain

REFUSED = 3


def files(connection: str, host: str, answering: Answering) -> dict[str, str]:
    """What is kept of an answer, by the names of the files in the connection's folder."""
    return {
        "known_hosts": ssh.known_hosts(connection, answering.host_keys),
        "ssh_config": ssh.render(connection, host, answering.port, answering.user),
        "paired.json": f"{msgspec.json.encode(answering).decode()}\n",
    }


def exchanged(
    connection: str, name: str, host: str, port: int, typed: str, public_key: str, post: Post = post
) -> tuple[Answering, dict[str, str]]:
    """What was answered, and the files to keep. Raises `NotPaired`."""
    key = ssh.public_part(public_key)
    if key is None:
        raise NotPaired("This connection has no key. Begin again.")
    if fault := code_fault(typed) or ssh.host_fault(host):
        raise NotPaired(fault)
    answering = pair(name, key, host, port, plain(typed), post)
    return answering, files(connection, host, answering)


def main(arguments: list[str] | None = None) -> int:
    """The exit status."""
    parser = argparse.ArgumentParser(prog="python -m host.programs.peering.pair")
    for word in ("connection", "name", "host"):
        parser.add_argument(f"--{word}", required=True)
    parser.add_argument("--port", type=int, required=True)
    asked = parser.parse_args(arguments)
    place = Path(folder(asked.connection))
    try:
        public_key = (place / "id_ed25519.pub").read_text()
        answering, kept = exchanged(
            asked.connection, asked.name, asked.host, asked.port, sys.stdin.readline(), public_key
        )
        os.umask(0o077)
        for name, text in kept.items():
            (place / f"{name}.next").write_text(text)
            (place / f"{name}.next").replace(place / name)
    except (NotPaired, OSError) as error:
        sys.stderr.write(f"{error}\n")
        return REFUSED
    sys.stdout.write(f"{msgspec.json.encode(answering).decode()}\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
