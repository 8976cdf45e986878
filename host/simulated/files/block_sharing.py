"""Files that share blocks on a simulated machine, which knows their contents and no blocks."""

from __future__ import annotations

from host.base import Result
from host.commands.files import ShareBlocks
from host.files.cloning import NotShared
from host.files.names import BadPath, components, plain
from host.files.opening import Unreachable
from host.simulated.datasets.file_tree import reached, same_content
from host.simulated.files.reading import at
from host.simulated.handlers import on
from host.simulated.refusal import Refusal, done
from host.simulated.state import FileState, Machine


def share(machine: Machine, command: ShareBlocks) -> Result:
    """systemd-run: ends once all of them were compared."""
    said, shared, why = "", 0, ""
    try:
        kept = _file(machine, command.dataset, command.kept)
        for path in command.paths:
            try:
                size = _compared(kept, _file(machine, command.dataset, path))
            except (NotShared, Unreachable, BadPath) as error:
                why = str(error)
                said += f"{plain(path)} stays as it is. {why}\n"
                continue
            shared += 1
            said += f"{plain(path)} shares its blocks now ({size} bytes).\n"
    except (Unreachable, BadPath) as error:
        why = str(error)
    if why and not shared:
        raise Refusal(f"No file shares its blocks now. {why}\n", exit_status=3)
    return done(said)


def _file(machine: Machine, dataset: str, path: str) -> FileState:
    components(path)
    state = at(reached(machine, dataset, None)[2], path)
    if state.kind != "file":
        raise Unreachable("not-a-file", "This is no regular file, so it has no content to be read.")
    return state


def _compared(kept: FileState, other: FileState) -> int:
    if kept.path == other.path or kept.inode == other.inode:
        raise NotShared("It is the same file under two names.")
    if kept.size != other.size:
        raise NotShared("It has another size by now.")
    if not same_content(kept, other):
        raise NotShared("It has another content by now.")
    return other.size


HANDLERS = on(ShareBlocks, share)
