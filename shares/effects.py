"""Effects of a plan's commands on file systems and so on their shares: in the middle, and afterwards."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec

from host.commands.closed import AnyCommand
from host.commands.datasets.datasets import ZfsRename
from host.commands.datasets.zfs import ZfsDestroy, ZfsInherit, ZfsMount, ZfsSet, ZfsUnmount
from host.commands.pools.importing import ZpoolExport, ZpoolImport
from host.commands.pools.zpool import ZpoolDestroy
from host.inventory import Dataset, Inventory, NfsShare, Sharing, SmbShare
from host.inventory.moving import place_after, renamed, with_value
from jobs.plan import Plan


class ShareEffects(msgspec.Struct, frozen=True, kw_only=True):
    """The shares of the machine in the middle of a plan and after it."""

    middle: Inventory
    after: Inventory
    leaving: tuple[str, ...]  # where file systems are unmounted


def effects_of(plan: Plan, inventory: Inventory, replaced: Mapping[str, str] = {}) -> ShareEffects:
    """What the commands of a plan do to file systems. `replaced`: guids of those that others take the place
    of, with the guids of these."""
    leaving: set[str] = set()
    gone: set[str] = set()
    moves: list[ZfsRename] = []
    places: list[ZfsSet | ZfsInherit] = []
    mounted: set[str] = set()
    for step in plan.steps:
        for command in step.commands:
            leaving |= _unmounted(command, inventory)
            if isinstance(command, ZfsDestroy):
                gone |= {command.name, *(one.name for one in inventory.below(command.name))}
            elif isinstance(command, ZpoolDestroy):
                gone |= {one.name for one in inventory.datasets if one.pool == command.name}
            elif isinstance(command, ZfsRename):
                moves.append(command)
            elif isinstance(command, ZfsSet | ZfsInherit):
                places.append(command)
            elif isinstance(command, ZfsMount):
                mounted.add(command.name)
    leaving = {one.name for one in inventory.datasets if one.name in leaving and one.mounted}
    middle = _with(
        inventory, tuple(_unmount(one) if one.name in leaving else one for one in inventory.datasets)
    )
    back = _imported_again(plan, inventory)
    after = _with(
        inventory,
        tuple(
            one if one.pool in back else then
            for one, then in zip(inventory.datasets, middle.datasets, strict=True)
        ),
    )
    if gone:
        left = tuple(one for one in after.datasets if one.name not in gone)
        after = msgspec.structs.replace(_with(after, left), sharing=_without(gone, inventory))
    for move in moves:
        after = _moved(after, move, inventory)
    for command in places:
        after = _placed(after, command, inventory)
    if replaced:
        after = _in_their_places(after, replaced, mounted)
    left_places = (one.value("mountpoint") or "" for one in inventory.datasets if one.name in leaving)
    return ShareEffects(middle=middle, after=after, leaving=tuple(sorted(left_places, reverse=True)))


def _unmounted(command: AnyCommand, inventory: Inventory) -> set[str]:
    match command:
        case ZfsUnmount(name=name) | ZfsDestroy(name=name) | ZfsRename(name=name, keep_mounts=False):
            return {name, *(one.name for one in inventory.below(name))}
        case ZfsSet(name=name, properties={"canmount": "off"}):
            return {name, *(one.name for one in inventory.below(name))}
        case ZfsSet(name=name) | ZfsInherit(name=name) if _place_then(command, inventory) is not None:
            return {name, *(one.name for one in _inheriting(name, inventory))}
        case ZpoolExport(name=name) | ZpoolDestroy(name=name):
            return {one.name for one in inventory.datasets if one.pool == name}
    return set()


def _imported_again(plan: Plan, inventory: Inventory) -> set[str]:
    """The pools that the plan lets go and takes back as they were."""
    guids = {
        command.guid for step in plan.steps for command in step.commands if isinstance(command, ZpoolImport)
    }
    return {pool.name for pool in inventory.pools if pool.guid in guids}


def _place_then(command: ZfsSet | ZfsInherit, inventory: Inventory) -> str | None:
    """Where the command mounts its file system, or `none` or `legacy`; None where it leaves that alone."""
    found = inventory.dataset(command.name)
    if found is None or (isinstance(command, ZfsInherit) and command.property != "mountpoint"):
        return None
    above = inventory.pool(found.pool)
    root = (above.altroot if above else None) or ""
    if isinstance(command, ZfsSet):
        given = command.properties.get("mountpoint")
        return f"{root}{given}" if given and given.startswith("/") else given
    kept = found.properties.get("mountpoint")
    if command.received and kept is not None and kept.received is not None:
        return f"{root}{kept.received}" if kept.received.startswith("/") else kept.received
    parent = inventory.dataset(found.parent) if found.parent else None
    if parent is None:
        return f"{root}/{found.name}"
    handed = parent.value("mountpoint") or "none"
    return f"{handed.rstrip('/')}/{found.name.rpartition('/')[2]}" if handed.startswith("/") else handed


def _inheriting(name: str, inventory: Inventory) -> Iterator[Dataset]:
    """The file systems below that are mounted where `name` is, and have no mount point of their own."""
    own: list[str] = []
    for one in inventory.below(name):
        if any(one.name.startswith(f"{other}/") for other in own):
            continue
        found = one.properties.get("mountpoint")
        if found is not None and found.source in {"local", "received"}:
            own.append(one.name)
        elif found is not None:
            yield one


def _placed(after: Inventory, command: ZfsSet | ZfsInherit, inventory: Inventory) -> Inventory:
    """What was mounted is mounted again, in its new place."""
    place = _place_then(command, after)
    if place is None:
        return after
    moving = {command.name, *(one.name for one in _inheriting(command.name, after))}
    stays_off = isinstance(command, ZfsSet) and command.properties.get("canmount") == "off"
    datasets = []
    for one in after.datasets:
        if one.name not in moving:
            datasets.append(one)
            continue
        there = f"{place.rstrip('/')}{one.name.removeprefix(command.name)}" if place[:1] == "/" else place
        was = inventory.dataset(one.name)
        mounted = was is not None and was.mounted and there.startswith("/") and not stays_off
        datasets.append(_at(one, there, mounted="yes" if mounted else "no"))
    if isinstance(command, ZfsSet):  # from now on it shields those below from what is set above
        datasets = [_own_place(one) if one.name == command.name else one for one in datasets]
    return _with(after, tuple(datasets))


def _at(one: Dataset, place: str, *, mounted: str) -> Dataset:
    return with_value(with_value(one, "mountpoint", place), "mounted", mounted)


def _own_place(one: Dataset) -> Dataset:
    found = msgspec.structs.replace(one.properties["mountpoint"], source="local", inherited_from=None)
    return msgspec.structs.replace(one, properties=one.properties | {"mountpoint": found})


def _moved(after: Inventory, move: ZfsRename, inventory: Inventory) -> Inventory:
    datasets = []
    for one in after.datasets:
        was = inventory.dataset(one.name)
        if was is None or not f"{one.name}/".startswith(f"{move.name}/"):
            datasets.append(one)
            continue
        place = None if move.keep_mounts else place_after(was, move.name, move.to, inventory)
        there = with_value(one, "mounted", "yes") if was.mounted else one
        there = there if place is None else with_value(there, "mountpoint", place)
        datasets.append(msgspec.structs.replace(there, name=renamed(one.name, move.name, move.to)))
    names = {one.guid: one.name for one in datasets}
    sharing = after.sharing
    smb = tuple(msgspec.structs.replace(one, dataset=names.get(one.guid, one.dataset)) for one in sharing.smb)
    nfs = tuple(msgspec.structs.replace(one, dataset=names.get(one.guid, one.dataset)) for one in sharing.nfs)
    changed = msgspec.structs.replace(sharing, smb=smb, nfs=nfs)
    return msgspec.structs.replace(_with(after, tuple(datasets)), sharing=changed)


def _in_their_places(after: Inventory, replaced: Mapping[str, str], mounted: set[str]) -> Inventory:
    """What takes the place of others is mounted last, and has their shares."""
    there = tuple(
        with_value(one, "mounted", "yes" if one.name in mounted else "no")
        if one.guid in replaced.values() or one.guid in replaced
        else one
        for one in after.datasets
    )
    names = {one.guid: one.name for one in there}

    def following[S: (SmbShare, NfsShare)](share: S) -> S:
        guid = replaced.get(share.guid, share.guid)
        return msgspec.structs.replace(share, guid=guid, dataset=names.get(guid, share.dataset))

    sharing = msgspec.structs.replace(
        after.sharing,
        smb=tuple(map(following, after.sharing.smb)),
        nfs=tuple(map(following, after.sharing.nfs)),
    )
    return msgspec.structs.replace(_with(after, there), sharing=sharing)


def _without(gone: set[str], inventory: Inventory) -> Sharing:
    guids = {one.guid for one in inventory.datasets if one.name in gone}
    sharing = inventory.sharing
    return msgspec.structs.replace(
        sharing,
        smb=tuple(one for one in sharing.smb if one.guid not in guids),
        nfs=tuple(one for one in sharing.nfs if one.guid not in guids),
    )


def _unmount(one: Dataset) -> Dataset:
    return with_value(one, "mounted", "no")


def _with(inventory: Inventory, datasets: tuple[Dataset, ...]) -> Inventory:
    return msgspec.structs.replace(inventory, datasets=datasets)
