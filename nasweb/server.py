"""gunicorn's worker for a console without a proxy in front, as with `make run`.

gunicorn gives each new connection a thread, which then waits for its request: a few dozen that send
none, or half of one, take all threads. Here a connection waits in the poller until its whole head has come.
"""

from __future__ import annotations

import errno
import selectors
import socket
import time
from functools import partial
from typing import Any

from gunicorn.workers.gthread import TConn, ThreadWorker

HEAD_S = 10.0  # for the whole head of a first request
_STALLED_S = 30.0  # between two pieces of a body, or of an answer
_LONGEST_HEAD = 64 << 10
_UNREAD_BYTES, _UNREAD_S = 40 << 20, 5.0  # of a body that was refused: more than any that is taken
_ENDS = (b"\r\n\r\n", b"\n\n")


class Connection(TConn):  # type: ignore[misc]
    """A connection with a time limit on every read and write."""

    def init(self) -> None:
        """Also sets the time limit, which gunicorn removes before each request."""
        super().init()
        self.sock.settimeout(_STALLED_S)


class Worker(ThreadWorker):  # type: ignore[misc]
    """Takes a thread for what can be answered."""

    def accept(self, listener: socket.socket) -> None:
        """Let a new connection wait for its request."""
        try:
            client, address = listener.accept()
        except OSError as error:
            if error.errno in (errno.EAGAIN, errno.ECONNABORTED, errno.EWOULDBLOCK):
                return
            raise
        connection = Connection(self.cfg, client, address, listener.getsockname())
        connection.timeout = time.monotonic() + HEAD_S
        self.nr_conns += 1
        self.pending_conns.append(connection)
        ready = partial(self.on_pending_socket_readable, connection)
        self.poller.register(connection.sock, selectors.EVENT_READ, ready)

    def on_pending_socket_readable(self, conn: Any, client: socket.socket) -> None:
        """Answer once the head is whole, or cannot become so: the parser says what is wrong with it."""
        seen = _peeked(client)
        last = getattr(conn, "seen", -1)
        conn.seen = len(seen)
        if 0 < len(seen) < _LONGEST_HEAD and len(seen) != last and not any(end in seen for end in _ENDS):
            # To be woken by a byte more than there is, or by its end.
            client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVLOWAT, len(seen) + 1)
            return
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVLOWAT, 1)
        super().on_pending_socket_readable(conn, client)

    def _keepalive_after(self, conn: Any, keepalive: bool) -> bool:
        """Take in what is left of a body that was refused: who is cut off while it sends reads no answer."""
        deadline = time.monotonic() + _UNREAD_S
        return bool(conn.parser.finish_body(deadline=deadline, max_bytes=_UNREAD_BYTES)) and keepalive


def _peeked(client: socket.socket) -> bytes:
    """What has come so far, and stays to be read; nothing where the other end has gone."""
    try:
        return client.recv(_LONGEST_HEAD, socket.MSG_PEEK)
    except OSError:
        return b""
