"""What the program that reads files would answer on a simulated machine."""

from __future__ import annotations

import heapq
import re
from collections.abc import Callable

import msgspec

from host.commands.files import CompareTexts, MeasureFiles, ReadFolder, SeeVersions
from host.files import entries, text
from host.files.answers import FileEntry, FileProblem, FolderPage, Measure, Sighting, Sightings, TextDiff
from host.files.names import BadPath, components
from host.files.opening import Unreachable
from host.simulated.datasets.file_tree import Tree, content, entry, reached
from host.simulated.handlers import on
from host.simulated.state import Dataset, FileState, Machine


def _answered[C: ReadFolder | SeeVersions | MeasureFiles | CompareTexts](
    answer: Callable[[Machine, C], msgspec.Struct],
) -> Callable[[Machine, C], str]:
    """Ends well whether there is something at the path or not."""

    def read(machine: Machine, command: C) -> str:
        found: msgspec.Struct
        try:
            components(command.path)
            found = answer(machine, command)
        except BadPath as error:
            found = FileProblem(code="not-found", message=str(error))
        except Unreachable as error:
            found = FileProblem(code=error.code, message=str(error))
        return msgspec.json.encode(found).decode() + "\n"

    return read


def at(found: Tree, path: str) -> FileState:
    """What lies at a path. Raises `Unreachable` as the real program does, for links on the way too."""
    names = path.split("/") if path else []
    for depth in range(1, len(names)):
        on_the_way = found.get("/".join(names[:depth]))
        if on_the_way is not None and on_the_way.kind == "link":
            raise Unreachable("outside", "The path leads through a link, and links are not followed here.")
    state = found.get(path)
    if state is None:
        raise Unreachable("not-found", "There is nothing at this path.")
    return state


def _described(found: Tree, path: str) -> FileEntry:
    return entry(at(found, path), path.rpartition("/")[2])


def _list(machine: Machine, command: ReadFolder) -> FolderPage:
    found = reached(machine, command.dataset, command.tag)[2]
    if at(found, command.path).kind != "folder":
        raise Unreachable("not-a-folder", "This is no folder.")
    inside = found.inside(command.path)
    wanted = command.contains.casefold()
    matching = {name: state for name, state in inside.items() if entries.has(name, wanted)}
    start = entries.place(command.after)
    places = [entries.order(name, is_folder=state.kind == "folder") for name, state in matching.items()]
    chosen = heapq.nsmallest(command.limit + 1, [one for one in places if start is None or one > start])
    page = tuple(entry(matching[name], name) for _, _, name in chosen[: command.limit])
    following = entries.cursor(chosen[command.limit - 1]) if len(chosen) > command.limit else None
    return FolderPage(entries=page, count=len(matching), following=following)


def _see(machine: Machine, command: SeeVersions) -> Sightings:
    tags: list[str | None] = [*([None] if command.live else []), *command.tags]
    return Sightings(seen=tuple(_sighting(machine, command, tag) for tag in tags))


def _sighting(machine: Machine, command: SeeVersions, tag: str | None) -> Sighting:
    try:
        return Sighting(tag=tag, entry=_described(reached(machine, command.dataset, tag)[2], command.path))
    except Unreachable as error:
        return Sighting(tag=tag, problem=None if error.code == "not-found" else error.code)


def _measure(machine: Machine, command: MeasureFiles) -> Measure:
    source = reached(machine, command.dataset, command.tag)[2]
    _, dataset, live = reached(machine, command.dataset, None)
    measured = _measured(source, command.path)
    target = f"{command.folder}/{command.name}".removeprefix("/")
    folder = live.get(command.folder)
    there = _measured(live, target) if live.get(target) else None
    return msgspec.structs.replace(
        measured,
        folder_exists=folder is not None and folder.kind == "folder",
        target=there.entry if there else None,
        target_size_bytes=there.size_bytes if there else 0,
        target_files=there.files if there else 0,
        last_kept=_last_kept(dataset, command.kept_as),
    )


def _measured(found: Tree, path: str) -> Measure:
    top = at(found, path)
    every = [top, *found.below(path)]
    return Measure(
        entry=entry(top, path.rpartition("/")[2]),
        files=sum(one.kind == "file" for one in every),
        folders=sum(one.kind == "folder" for one in every),
        others=sum(one.kind == "link" for one in every),
        size_bytes=sum(one.size for one in every if one.kind == "file"),
        mounts=0,
    )


def _last_kept(dataset: Dataset, name: str) -> int:
    pattern = re.compile(rf"{re.escape(name)}-([0-9]{{1,9}})")
    found = (pattern.fullmatch(snapshot.tag) for snapshot in dataset.snapshots)
    return max((int(match[1]) for match in found if match), default=0)


def _compare(machine: Machine, command: CompareTexts) -> TextDiff:
    texts = []
    for tag in (command.before, command.after):
        state = at(reached(machine, command.dataset, tag)[2], command.path)
        if state.kind != "file":
            raise Unreachable("not-a-file", "This is no regular file, so it has no content to be read.")
        texts.append(text.lines_of(content(state)))
    before, after = texts
    return text.compare(before, after, labels=(command.before or "now", command.after or "now"))


HANDLERS = (
    on(ReadFolder, _answered(_list))
    | on(SeeVersions, _answered(_see))
    | on(MeasureFiles, _answered(_measure))
    | on(CompareTexts, _answered(_compare))
)
