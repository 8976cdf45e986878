"""What a rewriting is to its programs, and what it has to give back."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from host.commands.closed import AnyCommand
from host.commands.datasets.zfs import ZfsInherit, ZfsMount, ZfsSet
from host.commands.replication.streams import NOT_RECEIVED, NOT_RECEIVED_FILES, NOT_RECEIVED_VOLUME
from host.commands.replication.task import Task
from host.inventory import Dataset, Inventory
from host.mountpoints import UNMOUNTED
from host.replication.rewriting import Rewrite
from jobs.planning.findings import Findings
from pools.policies.rules.policy import PROPERTY as POLICY

Settings = Mapping[str, str]
SHARED_BY_ZFS = ("sharenfs", "sharesmb", "zoned")  # never set by this console
_FILES = tuple(name for name in (*NOT_RECEIVED, *NOT_RECEIVED_FILES) if name not in SHARED_BY_ZFS)
_HELD_BACK = ("readonly", "canmount")  # what keeps a copy quiet, and is taken off it again
_RESERVING = ("reservation", "refreservation")
QUIET = (*_HELD_BACK, *_RESERVING, POLICY)  # all that is taken off one that is put aside


def find(name: str, inventory: Inventory, findings: Findings) -> Rewrite:
    """Raises `Refused` where the dataset is not being written anew."""
    found = inventory.rewrite(name)
    if found is None:
        findings.refuse("unknown-rewrite", "dataset", f"{name[:200]} is not being written anew.")
    return found


def task_of(known: Rewrite) -> Task:
    """What its programs are told."""
    return _task(known.key, known.dataset, known.copy)


def marks_of(known: Rewrite) -> Task:
    """Where its holds and bookmarks are: what was written from lies elsewhere once the copy is live."""
    return _task(known.key, known.before, known.dataset) if known.live else task_of(known)


def _task(key: str, source: str, target: str) -> Task:
    root = source.rpartition("/")[0]
    return Task(id=key, source=source, root=root, target=target, raw=False, anew=True, own_snapshots=True)


def settings_of(datasets: Sequence[Dataset]) -> dict[str, dict[str, str]]:
    """What streams leave out of each, by its name: all that was set on it, or came with a stream."""
    return {one.name: dict(_set_on(one)) for one in datasets}


def _set_on(one: Dataset) -> Iterator[tuple[str, str]]:
    volume = one.kind == "volume"
    for name in (*NOT_RECEIVED, *NOT_RECEIVED_VOLUME, "readonly") if volume else (*_FILES, *_HELD_BACK):
        found = one.properties.get(name)
        if found is None or found.source not in {"local", "received"}:
            continue
        if volume and name == "refreservation" and found.value not in {"0", "none"}:
            yield name, "auto"  # zfsprops(7): its own figure may not exceed the size of the volume
        else:
            yield name, found.value


def settled(name: str, settings: Settings, *, quiet_alone: bool = False) -> tuple[AnyCommand, ...]:
    """Let a dataset that was kept quiet be as these say. Its place comes first, while nothing mounts it.

    `quiet_alone`: of one that never lost anything else.
    """
    commands: list[AnyCommand] = []
    if not quiet_alone:
        rest = {key: value for key, value in settings.items() if key not in {*_HELD_BACK, POLICY}}
        if rest:
            commands.append(ZfsSet(name=name, properties=rest))
        if POLICY in settings:
            commands.append(ZfsSet(name=name, properties={POLICY: settings[POLICY]}))
        else:
            commands.append(ZfsInherit(name=name, property=POLICY))
    if "readonly" in settings:
        commands.append(ZfsSet(name=name, properties={"readonly": settings["readonly"]}))
    else:
        commands.append(ZfsInherit(name=name, property="readonly"))
    return tuple(commands)


def mountable(one: Dataset, settings: Settings) -> ZfsSet | None:
    """What lets a file system be mounted by itself again; None for volumes, and where it never was."""
    if one.kind == "volume":
        return None
    return ZfsSet(name=one.name, properties={"canmount": settings.get("canmount", "on")})


def mounts(one: Dataset, settings: Settings) -> tuple[ZfsMount, ...]:
    """Mount it, if it is one that is mounted by itself."""
    place = settings.get("mountpoint", one.value("mountpoint") or "none")
    if one.kind == "volume" or settings.get("canmount", "on") != "on" or place in UNMOUNTED:
        return ()
    return (ZfsMount(name=one.name),)


def parked(one: Dataset, settings: Settings) -> ZfsSet:
    """It sets nothing aside any more, and no policy takes snapshots of it."""
    given = {name: "none" for name in _RESERVING if settings.get(name, "0") not in {"0", "none"}}
    return ZfsSet(name=one.name, properties={POLICY: "off"} | given)
