"""Who is at the other end of a unix socket, as the kernel says."""

from __future__ import annotations

import pwd
import socket
import struct

_UCRED = struct.Struct("3i")  # pid, uid, gid: struct ucred in unix(7)


def peer_uid(connection: socket.socket) -> int:
    """The uid of the process that connected, at the moment it did."""
    raw = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _UCRED.size)
    _, uid, _ = _UCRED.unpack(raw)
    return int(uid)


def user_name(uid: int) -> str:
    """The user's name, or the number where there is none."""
    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:
        return str(uid)
