"""What an operation is called before, while and after it is done."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import quote

import msgspec

from frontend.units import counted

_TITLES = {
    "pool.create": "Create pool {name}",
    "pool.destroy": "Destroy pool {name}",
    "dataset.create": "Create {kind} {name}",
    "dataset.set": "Change {name}",
    "dataset.destroy": "Destroy {name}",
    "snapshot.create": "Take snapshot {name}",
    "snapshot.destroy": "Destroy {snapshots} of {dataset}",
    "chassis.set": "Set the chassis",
    "chassis.import": "Set the chassis and its bays",
    "bays.set": "Set what is known of the bays",
    "bays.teach": "Teach bay {bay}",
    "disk.locate": "Turn the light of {disk_words} {onoff}",
    "disk.smart-test": "{kind_of_test} of {disk_words}",
    "disk.burn-in": "Burn in {serial}",
    "disk.stop-burn-in": "Stop the burn-in of {disk_words}",
    "disk.forget": "Forget {serial_or_disk}",
    "disk.note": "Note on {disk_words}",
}
_TESTS = {"short": "Short self-test", "long": "Long self-test", "abort": "Abort the self-test"}


class Place(msgspec.Struct, frozen=True, kw_only=True):
    """A page to go to."""

    title: str
    href: str


def title(operation: str, data: Mapping[str, Any]) -> str:
    """`Create pool tank`; the operation's own name where the request says too little."""
    names = data.get("names")
    tags = names if isinstance(names, list) else []
    words = {
        "name": data.get("name"),
        "dataset": data.get("dataset"),
        "kind": "volume" if data.get("kind") == "volume" else "dataset",
        "snapshots": tags[0] if len(tags) == 1 else counted(len(tags), "snapshot"),
        "bay": data.get("bay"),
        "serial": data.get("serial"),
        "serial_or_disk": data.get("serial") or data.get("disk"),
        "disk_words": _disk_words(data),
        "onoff": "on" if data.get("on") else "off",
        "kind_of_test": _TESTS.get(str(data.get("kind")), "Self-test"),
    }
    template = _TITLES.get(operation)
    if template is None or not all(isinstance(words[word], str) for word in _named(template)):
        return operation
    return template.format(**words)


def button(operation: str, data: Mapping[str, Any], losses: Sequence[Mapping[str, Any]]) -> str:
    """What the button does, with what it erases: `Create tank, erase 2 disks`."""
    disks = sum("disk" in loss for loss in losses)
    if operation == "pool.create":
        return f"Create {data.get('name')}" + (f", erase {counted(disks, 'disk')}" if disks else "")
    if operation == "pool.destroy":
        datasets = sum("dataset" in loss for loss in losses)
        return f"Destroy {data.get('name')}" + (f" and {counted(datasets, 'dataset')}" if datasets else "")
    if operation == "dataset.set":
        properties = data.get("properties")
        count = len(properties) if isinstance(properties, dict) else 0
        return f"Change {counted(count, 'property', 'properties')}"
    if operation == "dataset.destroy" and len(losses) > 1:
        return f"Destroy {counted(len(losses), 'dataset')}"
    if operation == "snapshot.destroy":
        return f"Destroy {counted(len(losses), 'snapshot')}"
    return title(operation, data)


def origin(operation: str, data: Mapping[str, Any]) -> Place:
    """The page that the operation is asked for on."""
    name, dataset = str(data.get("name", "")), str(data.get("dataset", ""))
    named = data.get("datasets")
    first = str(named[0]) if isinstance(named, list) and named else ""
    return {
        "pool.create": Place(title="Pool builder", href="/create/pool/"),
        "pool.destroy": Place(title=name, href=pool_href(name)),
        "dataset.create": Place(title="New dataset", href="/create/dataset/"),
        "dataset.set": Place(title=name, href=dataset_href(name)),
        "dataset.destroy": Place(title=name, href=dataset_href(name)),
        "snapshot.create": Place(title="Snapshots", href=snapshots_href(first)),
        "snapshot.destroy": Place(title="Snapshots", href=snapshots_href(dataset)),
        "chassis.set": Place(title="Chassis", href="/chassis/edit/"),
        "chassis.import": Place(title="Teach the bays", href="/teach/"),
        "bays.set": Place(title="Teach the bays", href="/teach/"),
        "bays.teach": Place(title="Teach the bays", href="/teach/"),
    }.get(operation, _disk_page(operation, data))


def outcome(operation: str, data: Mapping[str, Any]) -> Place:
    """The page that shows what the operation made or left."""
    name = str(data.get("name", ""))
    if operation == "pool.create":
        return Place(title=f"Open {name}", href=pool_href(name))
    if operation == "pool.destroy":
        return Place(title="Pools", href="/pools/")
    if operation == "dataset.create":
        return Place(title=f"Open {name}", href=dataset_href(name))
    if operation == "dataset.destroy":
        return Place(title="Datasets", href="/datasets/")
    if operation == "disk.forget":
        return Place(title="Disks", href="/disks/")
    return origin(operation, data)


def pool_href(name: str) -> str:
    """The page of a pool."""
    return f"/pools/{quote(name, safe='')}/"


def dataset_href(name: str) -> str:
    """The page of a dataset."""
    return f"/datasets/{quote(name)}/"


def snapshots_href(dataset: str) -> str:
    """The page with a dataset's snapshots."""
    return f"/snapshots/{quote(dataset)}/" if dataset else "/datasets/"


def _disk_page(operation: str, data: Mapping[str, Any]) -> Place:
    if operation.startswith("disk.") and data.get("disk"):
        return Place(title="The disk", href=disk_href(str(data["disk"])))
    return Place(title="Overview", href="/")


def disk_href(disk_id: str) -> str:
    """The page of a disk, by any of its names."""
    return f"/disks/{quote(disk_id, safe='')}/"


def _disk_words(data: Mapping[str, Any]) -> str:
    if data.get("bay"):
        return f"bay {data['bay']}"
    return str(data.get("serial") or data.get("disk") or "a disk")


def _named(template: str) -> list[str]:
    return [part.partition("}")[0] for part in template.split("{")[1:]]
