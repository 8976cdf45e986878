"""Reads snapshots: first their names, which costs nearly nothing, then details of those requested."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

from host.base import Host
from host.commands.datasets.snapshots import MOST_NAMES, ZfsHolds, ZfsListSnapshots, ZfsSnapshotDetails
from host.inventory import Snapshot
from host.lines import Ask, Parsed, about, blocks, lines, nothing, rows, sound

_DATASETS_AT_ONCE = 250
_NAMES_AT_ONCE = 500


class Listed(NamedTuple):
    """A snapshot as a list has it. `guid` outlives its name, `createtxg` orders those of a dataset."""

    dataset: str
    tag: str
    guid: str
    createtxg: int


class Hold(NamedTuple):
    """A hold on a snapshot, since when in seconds since 1970."""

    snapshot: str
    tag: str
    since: int


class Listing(NamedTuple):
    """The snapshots of some datasets. Not `whole`: one of the datasets could no longer be opened."""

    datasets: tuple[str, ...]
    snapshots: Iterator[Listed]
    whole: bool


def parse_list(text: str) -> Iterator[Listed]:
    """One line after the other: a dataset may have a hundred thousand."""
    for name, guid, createtxg in rows(text, 3):
        if not createtxg.isdecimal():
            continue  # part of a name that no zfs lets anybody give
        dataset, _, tag = name.partition("@")
        yield Listed(dataset, tag, guid, int(createtxg))


def parse_details(text: str, ask: Ask = nothing) -> Iterator[Snapshot]:
    """Snapshots in the order of the lines; columns as `host.commands.datasets.snapshots.DETAIL_COLUMNS`."""
    for own in sound(_of_details, text, ask).values():
        (row,) = own.values()
        name, _, guid, createtxg, creation, used, referenced, userrefs, leaving, clones, mark = row
        yield Snapshot(
            name=name,
            guid=guid,
            createtxg=int(createtxg),
            created=int(creation),
            used_bytes=int(used),
            referenced_bytes=int(referenced),
            holds=int(userrefs) if userrefs.isdecimal() else 0,
            leaving=leaving == "on",
            clones=tuple(clones.split(",")) if clones not in {"", "-"} else (),
            mark="" if mark == "-" else mark,
        )


def _of_details(text: str) -> Parsed[list[str]]:
    found = ([name, "", *more] for name, *more in rows(text, 10))
    return blocks((row for row in found if all(number.isdecimal() for number in row[3:7])), list, first="")


def parse_holds(text: str, ask: Ask = nothing) -> Iterator[Hold]:
    """`zfs holds -Hp`. A tag may hold anything: tabs in it are part of it, in pieces it is left out."""
    for own in sound(_of_holds, text, ask).values():
        for snapshot, tag, since in own.values():
            yield Hold(snapshot, tag, int(since))


def _of_holds(text: str) -> Parsed[list[str]]:
    found = (_hold(line) for line in lines(text))
    return blocks((row for row in found if row[2].isdecimal()), list)


def _hold(line: str) -> list[str]:
    snapshot, _, rest = line.partition("\t")
    tag, _, since = rest.rpartition("\t")
    return [snapshot, tag, since]


def list_names(host: Host, datasets: Sequence[str]) -> Iterator[Listing]:
    """The snapshots of `datasets` without those below them, some hundred datasets at a time."""
    for start in range(0, len(datasets), _DATASETS_AT_ONCE):
        chosen = tuple(datasets[start : start + _DATASETS_AT_ONCE])
        result = host.run(ZfsListSnapshots(datasets=chosen))
        yield Listing(chosen, parse_list(result.stdout), result.exit == 0)


def read_details(host: Host, names: Iterable[str]) -> Iterator[Snapshot]:
    """More of these snapshots; one that is gone is left out."""
    for chosen in _batches(names):
        known, read = frozenset(chosen), partial(_details, host)
        found = parse_details(read(chosen), about(known, read))
        yield from (one for one in found if one.name in known)


def read_holds(host: Host, names: Iterable[str]) -> Iterator[Hold]:
    """All holds on these snapshots; one that is gone is left out."""
    for chosen in _batches(names):
        known, read = frozenset(chosen), partial(_holds, host)
        found = parse_holds(read(chosen), about(known, read))
        yield from (one for one in found if one.snapshot in known)


def _details(host: Host, names: tuple[str, ...]) -> str:
    return host.run(ZfsSnapshotDetails(names=names)).stdout


def _holds(host: Host, names: tuple[str, ...]) -> str:
    return host.run(ZfsHolds(names=names)).stdout


def list_snapshots(host: Host, dataset: str, *, recursive: bool = False) -> list[Snapshot]:
    """All of one dataset, with `recursive` of those below too, oldest first, with all there is to know."""
    listed = parse_list(host.run(ZfsListSnapshots(datasets=(dataset,), recursive=recursive)).stdout)
    found = read_details(host, (f"{one.dataset}@{one.tag}" for one in listed))
    return sorted(found, key=lambda snapshot: snapshot.createtxg)


def _batches(names: Iterable[str]) -> Iterator[tuple[str, ...]]:
    batch: list[str] = []
    for name in names:
        batch.append(name)
        if len(batch) == min(_NAMES_AT_ONCE, MOST_NAMES):
            yield tuple(batch)
            batch = []
    if batch:
        yield tuple(batch)
