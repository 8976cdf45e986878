"""`python -m host.programs.peer --peer ID`, by sshd alone. See the package.

Ends with `REFUSED` and one line on stderr for what this machine may not do; else it ends as the command does.
Files of snapshots are read by a service of root's (`host.programs.peer_files`), which judges once more.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Callable
from pathlib import Path

import msgspec

from host.base import Host, HostError
from host.commands.base import Command
from host.commands.replication.hashes import HashFiles
from host.commands.replication.streams import PeerCommand, SendRest
from host.contents.peers import FOLDER, UNKNOWN_COMMAND
from host.local import LocalHost, become
from host.programs.peer.files import hashed
from host.programs.peer.rights import read_rights
from host.programs.peer.rules import Forbidden, check, check_snapshot
from host.programs.replicate.tokens import Unsendable, rest_of
from host.typed import decode_by

REFUSED = 93
_LONGEST = 1 << 17  # characters: more is no word of a command in Linux
_decoder: msgspec.json.Decoder[PeerCommand] = msgspec.json.Decoder(PeerCommand)


def decided(peer: str, asked: str, host: Host, folder: Path) -> Command:
    """The command to become. Raises `Forbidden`."""
    if not re.fullmatch(r"[0-9a-f]{16}", peer):
        raise Forbidden("No machine has that number.")
    try:
        rights = read_rights((folder / f"{peer}.json").read_bytes())
    except (OSError, msgspec.DecodeError):
        raise Forbidden("This machine is not paired any more.") from None
    if not asked:
        raise Forbidden("Nobody signs in here. A paired Nasweb asks for one command at a time.")
    if len(asked) > _LONGEST:
        raise Forbidden("This is too long for a command.")
    try:
        command = decode_by(_decoder, asked.encode(errors="surrogateescape"))
    except (msgspec.DecodeError, ValueError):
        raise Forbidden(UNKNOWN_COMMAND) from None
    check(command, rights)
    if isinstance(command, SendRest):
        try:
            check_snapshot(rest_of(command.token, host).snapshot, rights)
        except Unsendable:
            raise Forbidden("This resume token asks for nothing that can be sent.") from None
    return command


def main(
    arguments: list[str] | None = None,
    *,
    environment: dict[str, str] | None = None,
    host: Host | None = None,
    folder: Path = Path(FOLDER),
    then: Callable[[Command], int] = become,
    ask: Callable[[str, HashFiles], bytes] = hashed,
) -> int:
    """The exit status, where it does not become the command."""
    parser = argparse.ArgumentParser(prog="python -m host.programs.peer")
    parser.add_argument("--peer", required=True)
    peer = parser.parse_args(arguments).peer
    asked = (os.environ if environment is None else environment).get("SSH_ORIGINAL_COMMAND", "")
    try:
        command = decided(peer, asked, host or LocalHost(), folder)
    except Forbidden as error:
        sys.stderr.write(f"nasweb: {error}\n")
        return REFUSED
    except HostError:
        sys.stderr.write("nasweb: This machine cannot look at that now.\n")
        return REFUSED
    if not isinstance(command, HashFiles):
        return then(command)
    try:
        answer = ask(peer, command)
    except OSError:
        sys.stderr.write("nasweb: This machine cannot read files for others now.\n")
        return REFUSED
    sys.stdout.buffer.write(answer)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
