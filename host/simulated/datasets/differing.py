"""What `zfs diff -FHt` says of two states of a simulated dataset's files."""

from __future__ import annotations

from collections.abc import Iterator

from host.files.names import components
from host.simulated.datasets.file_tree import Tree
from host.simulated.state import FileState

_KINDS = {"file": "F", "folder": "/", "link": "@"}


def lines(old: Tree, new: Tree, folder: str) -> Iterator[str]:
    """One line for each change, by path; `folder` is where the dataset is mounted.

    ZFS goes by the inode: what is overwritten in place is modified, and so is a folder whose entries changed.
    """
    before, after = old.states, new.states
    came, went = after.keys() - before.keys(), before.keys() - after.keys()
    written = {path for path in before.keys() & after.keys() if _differ(before[path], after[path])}
    touched = {path.rpartition("/")[0] for path in came | went} - came - went
    if "" in touched:
        newest = max((after.get(path) or before[path]).changed_ns for path in came | went)
        yield f"{newest / 1e9:.9f}\tM\t/\t{folder}/\n"
    for path in sorted(came | went | written | touched - {""}):
        change = "+" if path in came else "-" if path in went else "M"
        state = before[path] if path in went else after[path]
        where = _escaped(f"{folder}/", path)
        yield f"{state.changed_ns / 1e9:.9f}\t{change}\t{_KINDS[state.kind]}\t{where}\n"


def _differ(one: FileState, other: FileState) -> bool:
    return (one.inode, one.changed_ns, one.mode) != (other.inode, other.changed_ns, other.mode)


def _escaped(start: str, path: str) -> str:
    """Bytes that are no visible ASCII as `\\0ooo`, and the backslash itself."""
    raw = start.encode() + b"/".join(components(path))
    return "".join(chr(byte) if 0x20 < byte < 0x7F and byte != ord("\\") else f"\\{byte:04o}" for byte in raw)
