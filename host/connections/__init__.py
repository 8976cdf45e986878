"""Where all that belongs to a connection to another machine lies: root's own, one folder for each."""

from __future__ import annotations

FOLDER = "/etc/nasweb/replication"


def folder(connection: str) -> str:
    """The folder of the connection with that id."""
    return f"{FOLDER}/{connection}"
