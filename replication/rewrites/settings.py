"""What streams leave out of a dataset, and the commands that give it to what takes its place."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set

import msgspec

from host.commands.closed import AnyCommand
from host.commands.datasets.zfs import ZfsInherit, ZfsMount, ZfsSet
from host.commands.replication.streams import NOT_RECEIVED, NOT_RECEIVED_FILES, NOT_RECEIVED_VOLUME
from host.inventory import Dataset, Property
from host.mountpoints import UNMOUNTED
from pools.policies.rules.policy import PROPERTY as POLICY

SWITCHING = "nasweb:switching"  # the user property of what a switch has made read-only, by its key
SHARED_BY_ZFS = ("sharenfs", "sharesmb", "zoned")  # never set by this console
_FILES = tuple(
    name for name in (*NOT_RECEIVED, *NOT_RECEIVED_VOLUME, *NOT_RECEIVED_FILES) if name not in SHARED_BY_ZFS
)
_HELD_BACK = ("readonly", "canmount")
_RESERVING = ("reservation", "refreservation")
SET_ASIDE = (*_HELD_BACK, *_RESERVING, POLICY)  # what changes on a dataset that is not used any more
Settings = Mapping[str, str]  # values by property


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


def set_aside(one: Dataset, settings: Settings) -> ZfsSet:
    """It reserves nothing any more, and no policy takes snapshots of it."""
    given = {name: "none" for name in _RESERVING if settings.get(name, "0") not in {"0", "none"}}
    return ZfsSet(name=one.name, properties={POLICY: "off"} | given)


def given(
    tree: Sequence[Dataset], settings: Mapping[str, Settings], *, mounted: Set[str] | None
) -> tuple[AnyCommand, ...]:
    """Let datasets that nobody writes to have these settings, by name, and mount them in the end.

    `mounted`: those that were mounted; None where nobody knows, and each is that is mounted by itself.
    """
    commands: list[AnyCommand] = []
    for one in tree:
        own = settings.get(one.name, {})
        # Its place first, while nothing mounts it there.
        rest = {
            name: value
            for name, value in own.items()
            if name not in {*_HELD_BACK, POLICY} and not _has(one, name, value)
        }
        commands += [ZfsSet(name=one.name, properties=rest)] if rest else []
        commands.append(_given_or_inherited(one, POLICY, own))
        commands += _used_again(one, own)
    return (*commands, *_mounts(tree, settings, mounted))


def used_again(
    tree: Sequence[Dataset], settings: Mapping[str, Settings], *, mounted: Set[str] | None
) -> tuple[AnyCommand, ...]:
    """The same for datasets that have all their settings, and were only made read-only and unmounted."""
    commands = [command for one in tree for command in _used_again(one, settings.get(one.name, {}))]
    return (*commands, *_mounts(tree, settings, mounted))


def reserving_again(tree: Iterable[Dataset], settings: Mapping[str, Settings]) -> tuple[AnyCommand, ...]:
    """What `set_aside` took: the policy, and the space that is reserved for them."""
    commands: list[AnyCommand] = []
    for one in tree:
        own = settings.get(one.name, {})
        commands.append(_given_or_inherited(one, POLICY, own))
        values = {name: own[name] for name in _RESERVING if name in own}
        commands += [ZfsSet(name=one.name, properties=values)] if values else []
    return tuple(commands)


def as_unmounted(one: Dataset) -> Dataset:
    """The same once a step before has unmounted it."""
    properties = one.properties | {"mounted": Property(value="no", source="none")}
    return msgspec.structs.replace(one, properties=properties)


def _used_again(one: Dataset, own: Settings) -> list[AnyCommand]:
    commands: list[AnyCommand] = [_given_or_inherited(one, "readonly", own)]
    if one.kind == "filesystem":  # canmount is not inherited
        commands.append(ZfsSet(name=one.name, properties={"canmount": own.get("canmount", "on")}))
    return commands


def _given_or_inherited(one: Dataset, name: str, own: Settings) -> AnyCommand:
    if name in own:
        return ZfsSet(name=one.name, properties={name: own[name]})
    return ZfsInherit(name=one.name, property=name)


def _has(one: Dataset, name: str, value: str) -> bool:
    found = one.properties.get(name)
    return found is not None and (found.value, found.source) == (value, "local")


def _mounts(
    tree: Sequence[Dataset], settings: Mapping[str, Settings], mounted: Set[str] | None
) -> tuple[ZfsMount, ...]:
    """Of those that are not mounted already: ZFS refuses to do that twice."""
    wanted = {one.name for one in tree if _by_itself(one, settings.get(one.name, {}))}
    return tuple(
        ZfsMount(name=one.name)
        for one in tree
        if not one.mounted and one.name in (wanted if mounted is None else mounted)
    )


def _by_itself(one: Dataset, own: Settings) -> bool:
    place = own.get("mountpoint", one.value("mountpoint") or "none")
    return one.kind == "filesystem" and own.get("canmount", "on") == "on" and place not in UNMOUNTED
