"""What other machines may do here: a line for sshd and a file of rights for each that was paired.

Both are root's files below `FOLDER`; sshd finds all lines by one grep (sshd_config.d/nasweb-peer.conf), so
that pairing with one machine never touches the file of another. A line allows one program, with one number;
what that program does for it is in the file of that number, which the other side cannot choose.
"""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

FOLDER = "/etc/nasweb/peers"
USER = "nasweb-peer"  # nobody signs in as this account but with a key of such a line
RELEASE = "/opt/nasweb/current"
# What is said to who asks for what this version does not know. Other versions know it by this text.
UNKNOWN_COMMAND = "This is no command of a paired machine."
PeerId = Annotated[str, Meta(pattern=r"\A[0-9a-f]{16}\Z")]


def keys_file(peer: str) -> str:
    """Its line."""
    return f"{FOLDER}/{peer}.keys"


def rights_file(peer: str) -> str:
    """Its rights."""
    return f"{FOLDER}/{peer}.json"


def render_line(peer: str, key: str) -> str:
    """`restrict` refuses terminals, forwarding of every kind and a ~/.ssh/rc; a command that is asked for, a
    subsystem and a shell all become the one program."""
    program = f"env --chdir={RELEASE} .venv/bin/python -m host.programs.peer --peer={peer}"
    return f'restrict,command="{program}" {key} nasweb-{peer}\n'


def render_rights(root: str, shared: tuple[str, ...]) -> str:
    """As `host.programs.peer.rights` reads it."""
    return f"{msgspec.json.encode({'root': root, 'shared': shared}).decode()}\n"
