"""Files of a simulated dataset. Each state of a file knows in which transactions it was there, so a snapshot
sees what was there in its own, and nothing has to be copied for it."""

from __future__ import annotations

from hashlib import sha256

from host.files.answers import FileEntry
from host.files.names import shown
from host.files.opening import Unreachable
from host.simulated.state import Dataset, FileState, Machine, Pool

_MOST_KEPT = 4096  # bytes kept as they are; of longer files only the size is kept
_OWNERS = {0: "root", 1000: "ada", 1001: "grace"}


class Tree:
    """What a dataset holds in one transaction: paths (of bytes) with what lies there."""

    def __init__(self, states: dict[str, FileState]) -> None:
        self.states = states

    def get(self, path: str) -> FileState | None:
        """What lies at a path; the dataset's own folder is always there."""
        return self.states.get(path) if path else FileState(path="", kind="folder", mode=0o755)

    def inside(self, path: str) -> dict[str, FileState]:
        """The entries of a folder by their names."""
        prefix = f"{path}/" if path else ""
        return {
            one.path.removeprefix(prefix): one
            for one in self.states.values()
            if one.path.startswith(prefix) and "/" not in one.path.removeprefix(prefix)
        }

    def below(self, path: str) -> list[FileState]:
        """Everything under a folder, however deep."""
        return [one for one in self.states.values() if one.path.startswith(f"{path}/" if path else "")]


def tree(pool: Pool, dataset: Dataset, *, txg: int | None = None) -> Tree:
    """What is there now, or was in a transaction. Paths are those of the shown form."""
    found: dict[str, FileState] = {}
    if dataset.origin and (source := pool.datasets.get(dataset.origin.partition("@")[0])):
        tag = dataset.origin.partition("@")[2]
        cut = next((one.createtxg for one in source.snapshots if one.tag == tag), None)
        if cut is not None:
            found = {
                path: state
                for path, state in tree(pool, source, txg=cut).states.items()
                if path not in dataset.unlinked or (txg is not None and txg < dataset.unlinked[path])
            }
    for state in dataset.files:
        if (txg is None and state.died is None) or (
            txg is not None and state.born <= txg and (state.died is None or txg < state.died)
        ):
            found[state.path] = state
    return Tree(found)


def put(machine: Machine, pool: Pool, dataset: Dataset, state: FileState) -> None:
    """Write a file, or make a folder or link: what was there is what it was in older snapshots alone."""
    parent = state.path.rpartition("/")[0]
    if parent and tree(pool, dataset).get(parent) is None:
        now = machine.now_ns()
        put(machine, pool, dataset, FileState(path=parent, kind="folder", mode=0o755, modified_ns=now))
    remove(pool, dataset, state.path)
    state.born, state.died = pool.txg + 1, None  # the next snapshot is the first that sees it
    state.inode = machine.next_inode()
    state.changed_ns = machine.now_ns()
    dataset.files.append(state)


def remove(pool: Pool, dataset: Dataset, path: str) -> None:
    """Delete a file, or a folder with all in it; nothing where there is none."""
    now = tree(pool, dataset)
    doomed = [state for state in ([now.get(path)] if now.get(path) else []) if state is not None]
    doomed += now.below(path)
    if not doomed:
        return
    for state in doomed:
        if any(state is one for one in dataset.files):
            state.died = pool.txg + 1
        else:
            dataset.unlinked[state.path] = pool.txg + 1
    forget(dataset)


def forget(dataset: Dataset) -> None:
    """Drop what neither the live state nor any snapshot contains."""
    txgs = [snapshot.createtxg for snapshot in dataset.snapshots]
    dataset.files = [
        state
        for state in dataset.files
        if state.died is None or any(state.born <= txg < state.died for txg in txgs)
    ]


def reached(machine: Machine, name: str, tag: str | None) -> tuple[Pool, Dataset, Tree]:
    """A mounted file system's tree, or its snapshot's. Raises `Unreachable`, as the real program would."""
    pool = machine.pools.get(name.partition("/")[0])
    dataset = pool.datasets.get(name) if pool else None
    if pool is None or dataset is None or not dataset.mounted:
        raise Unreachable("not-mounted", f"{name} is not mounted, so its files cannot be reached.")
    if tag is None:
        return pool, dataset, tree(pool, dataset)
    for snapshot in dataset.snapshots:
        if snapshot.tag == tag:
            return pool, dataset, tree(pool, dataset, txg=snapshot.createtxg)
    raise Unreachable("no-snapshot", f"There is no snapshot {name}@{tag}, or ZFS does not show it.")


def entry(state: FileState, name: str) -> FileEntry:
    """As the real program describes it."""
    owner = _OWNERS.get(state.uid, str(state.uid))
    return FileEntry(
        name=name,
        kind=state.kind,
        size_bytes=state.size if state.kind != "folder" else 0,
        modified_ns=state.modified_ns,
        changed_ns=state.changed_ns,
        inode=state.inode,
        mode=state.mode,
        uid=state.uid,
        gid=state.uid,
        owner=owner,
        group=owner,
        leads_to=state.leads_to,
    )


def content(state: FileState) -> bytes:
    """What a file holds. Of a long one only the size is known, so it holds a pattern of its own."""
    if state.data is not None:
        return state.data
    block = sha256(f"{state.path} {state.inode}".encode()).digest() * 2048
    return (block * (state.size // len(block) + 1))[: state.size]


def same_content(one: FileState, other: FileState) -> bool:
    """Whether two files hold the same. Of long ones that is not known: one that was copied has the times of
    the other."""
    copied = one.data is not None or one.modified_ns == other.modified_ns
    return (one.size, one.data) == (other.size, other.data) and copied


def new_file(path: bytes, data: bytes | int, *, modified_ns: int, uid: int = 1000) -> FileState:
    """A file with that content, or one of which only the size is known."""
    kept = isinstance(data, bytes) and len(data) <= _MOST_KEPT
    return FileState(
        path=shown(path),
        kind="file",
        size=data if isinstance(data, int) else len(data),
        data=data if kept and isinstance(data, bytes) else None,
        modified_ns=modified_ns,
        uid=uid,
    )


def roll_back(dataset: Dataset, createtxg: int) -> None:
    """The live state is again what it was in that transaction."""
    dataset.files = [state for state in dataset.files if state.born <= createtxg]
    for state in dataset.files:
        if state.died is not None and state.died > createtxg:
            state.died = None
    dataset.unlinked = {path: txg for path, txg in dataset.unlinked.items() if txg <= createtxg}
