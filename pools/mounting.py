"""Whether file systems may be mounted where a plan would have them, and may do there what they would."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec

from host.inventory import Dataset, Inventory, Property
from host.mountpoints import UNMOUNTED, Zone, place_fault, zone
from jobs.planning.findings import Findings
from jobs.rights import ADMIN

# What somebody who is root on another machine has put into a file system then works on this one.
_GIVES_RIGHTS = {
    "setuid": "Programs in it run as their owner, such as root, no matter who put them there.",
    "devices": "Device files in it work: anyone who may open one can read and write a whole disk, or memory.",
}


def check_place(
    of: str, place: str | None, field: str, findings: Findings, *, code: str = "bad-mountpoint"
) -> None:
    """A fault where nothing may be mounted; elsewhere than in its folders, a warning that needs an admin."""
    if place is None or place in UNMOUNTED or place == "-":
        return
    if fault := place_fault(place):
        findings.error(code, field, f"{of} would be mounted at {place}. {fault}")
    elif zone(place) is not Zone.OPEN:
        message = (
            f"{of} would be mounted at {place}, outside of /mnt, /srv and /media: it hides what is in that "
            "folder. Choose a folder below /mnt, or let an admin decide."
        )
        findings.warning("mounts-elsewhere", field, message, needs=ADMIN)


def check_new(
    name: str,
    kind: str,
    chosen: Mapping[str, str],
    parent: Dataset | None,
    findings: Findings,
    *,
    source: Dataset | None = None,
) -> None:
    """Findings on the place and the rights of a new dataset, which may be a clone of `source`."""
    before = rights_given(parent) if source is None else rights_given(source)
    check_loosened(name, before, rights_given(parent, chosen), "properties" if chosen else "name", findings)
    if kind == "filesystem" and "mountpoint" in chosen:
        check_place(name, chosen["mountpoint"], "properties.mountpoint", findings)
    elif kind == "filesystem":
        check_place(name, place_below(parent, name), "name", findings)


def place_below(parent: Dataset | None, name: str) -> str | None:
    """Where something called `name` is mounted unless it has a place of its own."""
    handed = parent.value("mountpoint") if parent else "/"
    last = name.rpartition("/")[2]
    return f"{handed.rstrip('/')}/{last}" if handed and handed.startswith("/") else handed


def followers(dataset: Dataset, inventory: Inventory) -> Iterator[Dataset]:
    """The file systems below that are mounted in its folder, and move along with it."""
    apart: list[str] = []
    for child in inventory.below(dataset.name):
        found = child.properties.get("mountpoint")
        if found is None or any(child.name.startswith(f"{other}/") for other in apart):
            continue
        if found.source in {"local", "received"}:
            apart.append(child.name)
        elif child.kind == "filesystem":
            yield child


def moved(dataset: Dataset, place: str, inventory: Inventory, *, own: bool) -> Inventory:
    """The machine once that is its mount point, of its `own` or inherited."""
    then = {one.name: _below(dataset, one, place) for one in followers(dataset, inventory)}

    def changed(one: Dataset) -> Dataset:
        if one.name == dataset.name:
            return _with(one, Property(value=place, source="local" if own else "inherited"))
        if one.name in then:
            return _with(one, msgspec.structs.replace(one.properties["mountpoint"], value=then[one.name]))
        return one

    return msgspec.structs.replace(inventory, datasets=tuple(changed(one) for one in inventory.datasets))


def check_loosened(
    of: str, before: Mapping[str, str | None], then: Mapping[str, str | None], field: str, findings: Findings
) -> None:
    """A warning that needs an admin where files could give rights that could not `before`."""
    for name, why in _GIVES_RIGHTS.items():
        if before.get(name) == "off" and then.get(name) != "off":
            message = f"{name} would be on in {of}. {why} Leave it off, or let an admin decide."
            findings.warning(f"lets-{name}", field, message, needs=ADMIN)


def rights_given(
    dataset: Dataset | None, chosen: Mapping[str, str | None] | None = None
) -> dict[str, str | None]:
    """`setuid` and `devices` as a dataset has them, or would with what is `chosen`."""
    handed = {name: dataset.value(name) if dataset else None for name in _GIVES_RIGHTS}
    return handed | {name: value for name, value in (chosen or {}).items() if name in _GIVES_RIGHTS}


def _below(dataset: Dataset, child: Dataset, place: str) -> str:
    rest = child.name.removeprefix(dataset.name)
    return f"{place.rstrip('/')}{rest}" if place.startswith("/") else place


def _with(one: Dataset, mountpoint: Property) -> Dataset:
    return msgspec.structs.replace(one, properties=one.properties | {"mountpoint": mountpoint})
