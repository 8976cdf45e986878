"""exports(5) as exportfs reads it."""

from __future__ import annotations

import re

from host.lines import lines
from host.simulated.datasets.values import mountpoint
from host.simulated.state import Machine

_LINE = re.compile(r'(?:"(?P<quoted>[^"]*)"|(?P<bare>\S+))\s*(?P<clients>.*)')
_CLIENT = re.compile(r"(?P<host>[^\s()]+)\((?P<options>[^()]*)\)")
_KNOWN = {
    "rw", "ro", "sync", "async", "no_subtree_check", "subtree_check", "root_squash", "no_root_squash",
    "all_squash", "no_all_squash", "secure", "insecure", "crossmnt", "mountpoint", "mp", "nohide", "hide",
    "wdelay", "no_wdelay", "acl", "no_acl",
}  # fmt: skip
_VALUED = ("sec=", "fsid=", "anonuid=", "anongid=", "mountpoint=", "mp=")


def complaints(machine: Machine, text: str, path: str) -> str:
    """What exportfs writes to its stderr; empty where it accepts the file."""
    said = []
    for number, line in enumerate(lines(text), start=1):
        found = _read(line)
        if found is None:
            continue
        folder, clients = found
        for host, options in clients:
            said += [f"exportfs: Failed to resolve {host}\n"] if host in machine.unresolved else []
            said += [
                f'exportfs: {path}:{number}: unknown keyword "{option}"\n'
                for option in filter(None, options.split(","))
                if option not in _KNOWN and not option.startswith(_VALUED)
            ]
        if not _is_folder(machine, folder):
            said.append(f"exportfs: Failed to stat {folder}: No such file or directory\n")
    return "".join(said)


def table(machine: Machine, text: str) -> list[str]:
    """The lines of the table of exports that come of a file."""
    table_lines = []
    for line in lines(text):
        found = _read(line)
        if found is not None:
            folder, clients = found
            shown = folder.replace("\\", "\\134").replace(" ", "\\040")
            table_lines += [
                f"{shown}\t{host}({options})" for host, options in clients if host not in machine.unresolved
            ]
    return table_lines


def _read(line: str) -> tuple[str, list[tuple[str, str]]] | None:
    line = line.strip()
    if not line or line.startswith("#"):
        return None
    found = _LINE.fullmatch(line)
    if found is None:
        return None
    folder = found["quoted"] if found["quoted"] is not None else found["bare"]
    return folder, [(client["host"], client["options"]) for client in _CLIENT.finditer(found["clients"])]


def _is_folder(machine: Machine, folder: str) -> bool:
    places = {
        mountpoint(machine, dataset)
        for pool in machine.pools.values()
        for dataset in pool.datasets.values()
        if dataset.mounted
    }
    return folder in places
