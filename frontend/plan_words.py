"""What an operation is called before, while and after it is done."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import quote

import msgspec

from frontend import array_words, boot_words, care_words, machine_words, people_words, share_words
from frontend.units import counted
from host.files.names import plain

_TITLES = {
    "pool.create": "Create pool {name}",
    "pool.destroy": "Destroy pool {name}",
    "pool.clear": "Clear the errors of {name}",
    "pool.add": "Add to {name}",
    "pool.attach": "Attach a disk to {name}",
    "pool.detach": "Detach a disk from {name}",
    "pool.replace": "Replace a disk of {name}",
    "pool.offline": "Take a disk of {name} offline",
    "pool.online": "Bring a disk of {name} online",
    "pool.remove": "{removal} {name}",
    "pool.expand": "Let {name} grow",
    "dataset.create": "Create {kind} {name}",
    "dataset.set": "Change {name}",
    "dataset.load-key": "Unlock {datasets}",
    "dataset.unload-key": "Lock {name}",
    "dataset.change-key": "Change the key of {name}",
    "dataset.test-key": "Try the key of {name}",
    "dataset.quota": "Change quotas of {name}",
    "dataset.bulk-set": "Change {many}",
    "dataset.rename": "Rename {name} to {to}",
    "dataset.promote": "Promote {name}",
    "dataset.mount": "Mount {name}",
    "dataset.unmount": "Unmount {name}",
    "dataset.destroy": "Destroy {name}",
    "policy.set": "Set the snapshot policy of {dataset}",
    "policy.run": "Snapshots of {pool} by the clock",
    "policy.prune": "Delete what the policies in {pool} keep no longer",
    "snapshot.create": "Take snapshot {name}",
    "snapshot.destroy": "Destroy {snapshots}",
    "snapshot.hold": "Hold {snapshots}",
    "snapshot.release": "Release {snapshots}",
    "snapshot.clone": "Make {name} from {snapshot}",
    "snapshot.rename": "Rename {snapshot}",
    "snapshot.rollback": "Roll back to {snapshot}",
    "snapshot.restore": "Restore {path}",
    "snapshot.stop-restore": "Stop a restore into {dataset}",
    "rights.set": "Set the rights of {dataset}",
    "rights.stop": "Stop setting rights in {dataset}",
    "session.end": "Disconnect {client}",
    "chassis.set": "Set the chassis",
    "chassis.import": "Set the chassis and its bays",
    "bays.set": "Set what is known of the bays",
    "bays.teach": "Teach bay {bay}",
    "disk.locate": "Turn the light of {disk_words} {onoff}",
    "disk.smart-test": "{kind_of_test} of {disk_words}",
    "disk.burn-in": "Burn in {serial}",
    "disk.stop-burn-in": "Stop the burn-in of {disk_words}",
    "disk.wipe": "Erase {serial_or_disk}",
    "disk.forget": "Forget {serial_or_disk}",
    "disk.note": "Note on {disk_words}",
    "alert.acknowledge": "Acknowledge an alert",
    "doctor.acknowledge": "Acknowledge a finding",
    "doctor.recall": "Tell a finding again",
}
_ON_SNAPSHOTS = ("destroy", "hold", "release", "clone", "rename", "rollback")
_ON_MEMBERS = ("clear", "add", "attach", "detach", "offline", "online", "remove", "expand")
_ON_DATASETS = ("rename", "promote", "mount", "unmount")
_ON_KEYS = ("unload-key", "change-key", "test-key")
_TESTS = {"short": "Short self-test", "long": "Long self-test", "abort": "Abort the self-test"}


class Place(msgspec.Struct, frozen=True, kw_only=True):
    """A page to go to."""

    title: str
    href: str


_POOLS = Place(title="Pools", href="/pools/")


def title(operation: str, data: Mapping[str, Any]) -> str:
    """`Create pool tank`; the operation's own name where the request says too little."""
    for of_room in (
        array_words.title,
        boot_words.title,
        care_words.title,
        people_words.title,
        share_words.title,
        machine_words.title,
    ):
        if known := of_room(operation, data):
            return known
    names = data.get("names")
    many = names if isinstance(names, list) else []
    words = {
        "name": data.get("name"),
        "to": data.get("to"),
        "many": counted(len(many), "dataset"),
        "dataset": data.get("dataset"),
        "pool": data.get("pool"),
        "kind": "volume" if data.get("kind") == "volume" else "dataset",
        "snapshot": data.get("snapshot"),
        "snapshots": _snapshots(data),
        "datasets": str(many[0]) if len(many) == 1 else counted(len(many), "dataset"),
        "client": "an NFS client" if str(data.get("session")).startswith("nfs") else "an SMB client",
        "bay": data.get("bay"),
        "path": plain(path) if isinstance(path := data.get("path"), str) else None,
        "serial": data.get("serial"),
        "serial_or_disk": data.get("serial") or data.get("disk"),
        "disk_words": _disk_words(data),
        "onoff": "on" if data.get("on") else "off",
        "removal": "Keep the vdev of" if data.get("cancel") else "Remove a vdev from",
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
    if operation in {"dataset.set", "dataset.bulk-set"}:
        properties, received = data.get("properties"), data.get("received")
        count = len(properties) if isinstance(properties, dict) else 0
        count += len(received) if isinstance(received, list) else 0
        return f"Change {counted(count, 'property', 'properties')}"
    if operation == "dataset.destroy" and len(losses) > 1:
        datasets = sum("dataset" in loss for loss in losses)
        snapshots = len(losses) - datasets
        return f"Destroy {counted(datasets, 'dataset')}" + (
            f" and {counted(snapshots, 'snapshot')}" if snapshots else ""
        )
    if operation == "snapshot.destroy":
        return f"Destroy {counted(len(losses), 'snapshot')}"
    if operation == "snapshot.rollback":
        younger = sum("snapshot" in loss for loss in losses)
        return "Roll back" + (f", destroy {counted(younger, 'snapshot')}" if younger else "")
    return title(operation, data)


def origin(operation: str, data: Mapping[str, Any]) -> Place:
    """The page that the operation is asked for on."""
    if operation == "pool.import":
        return Place(title="Import", href="/import/")
    if boot_words.title(operation, data):
        return _place(boot_words.origin(operation, data))
    if array_words.title(operation, data):
        return _place(array_words.origin(operation, data))
    if people_words.title(operation, data):
        return _place(people_words.origin(operation, data))
    if share_words.title(operation, data):
        return _place(share_words.origin(operation, data))
    if machine_words.title(operation, data):
        return _place(machine_words.origin(operation, data))
    if care_words.title(operation, data):
        name = str(data.get("name") or data.get("pool") or "")
        return (
            Place(title=name, href=f"{pool_href(name)}#care")
            if name
            else Place(title="Pools", href="/pools/")
        )
    name, dataset = str(data.get("name", "")), str(data.get("dataset", ""))
    named = data.get("datasets")
    first = str(named[0]) if isinstance(named, list) and named else ""
    return {
        "pool.create": Place(title="Pool builder", href="/create/pool/"),
        "pool.destroy": Place(title=name, href=pool_href(name)),
        **{f"pool.{verb}": Place(title=name, href=pool_href(name)) for verb in _ON_MEMBERS},
        "pool.replace": Place(title="Replace a disk", href=replace_href(name, data.get("vdev"))),
        "dataset.create": Place(title="New dataset", href="/create/dataset/"),
        "dataset.set": Place(title=name, href=dataset_href(name)),
        "dataset.load-key": Place(title="Locked datasets", href="/datasets/locked/"),
        **{f"dataset.{verb}": Place(title=name, href=f"/keys/{quote(name)}/") for verb in _ON_KEYS},
        "dataset.quota": Place(title=name, href=f"/quotas/{quote(name)}/"),
        "dataset.bulk-set": Place(title="Datasets", href="/datasets/"),
        **{f"dataset.{verb}": Place(title=name, href=dataset_href(name)) for verb in _ON_DATASETS},
        "dataset.destroy": Place(title=name, href=dataset_href(name)),
        "policy.set": Place(title="Policy", href=f"/policies/{quote(dataset)}/"),
        "policy.run": Place(title="Policies", href="/policies/"),
        "policy.prune": Place(title="Policies", href="/policies/"),
        "snapshot.create": Place(title="Snapshots", href=snapshots_href(first)),
        **{f"snapshot.{verb}": _of_snapshots(data) for verb in _ON_SNAPSHOTS},
        "snapshot.restore": _file_page(data),
        "snapshot.stop-restore": Place(title="Files", href=f"/files/{quote(dataset)}/"),
        **{f"rights.{verb}": _rights_page(data) for verb in ("set", "stop")},
        "session.end": Place(title="Who is connected", href="/sessions/"),
        "chassis.set": Place(title="Chassis", href="/chassis/edit/"),
        "chassis.import": Place(title="Teach the bays", href="/teach/"),
        "bays.set": Place(title="Teach the bays", href="/teach/"),
        "bays.teach": Place(title="Teach the bays", href="/teach/"),
        "alert.acknowledge": Place(title="Alerts", href="/alerts/"),
        "doctor.acknowledge": Place(title="Doctor", href="/doctor/"),
        "doctor.recall": Place(title="Doctor", href="/doctor/"),
    }.get(operation, _disk_page(operation, data))


def _place(found: tuple[str, str]) -> Place:
    return Place(title=found[0], href=found[1])


def _rights_page(data: Mapping[str, Any]) -> Place:
    folder = str(data.get("folder") or "")
    query = f"?folder={quote(folder, safe='')}" if folder else ""
    return Place(title="Rights", href=f"/rights/{quote(str(data.get('dataset', '')))}/{query}")


def _file_page(data: Mapping[str, Any]) -> Place:
    dataset, path = str(data.get("snapshot", "")).partition("@")[0], str(data.get("path", ""))
    return Place(title="Versions", href=f"/versions/{quote(dataset)}/?path={quote(path, safe='')}")


def outcome(operation: str, data: Mapping[str, Any]) -> Place:
    """The page that shows what the operation made or left."""
    if array_words.title(operation, data):
        return _place(array_words.outcome(operation, data))
    if people_words.title(operation, data):
        return _place(people_words.outcome(operation, data))
    if share_words.title(operation, data):
        return _place(share_words.outcome(operation, data))
    if machine_words.title(operation, data):
        return _place(machine_words.outcome(operation, data))
    if care_words.title(operation, data):
        after = care_words.pool_after(operation, data)
        return (
            Place(title=f"Open {after}", href=pool_href(after))
            if after
            else Place(title="Pools", href="/pools/")
        )
    name = str(data.get("name", ""))
    if operation == "pool.create":
        return Place(title=f"Open {name}", href=pool_href(name))
    if operation == "pool.destroy":
        return Place(title="Pools", href="/pools/")
    if operation == "pool.replace":
        return Place(title="Follow the copy", href=replace_href(name, None))
    if operation in {"dataset.create", "snapshot.clone"}:
        return Place(title=f"Open {name}", href=dataset_href(name))
    if operation == "dataset.rename":
        return Place(title=f"Open {data.get('to')}", href=dataset_href(str(data.get("to"))))
    if operation == "dataset.destroy":
        return Place(title="Datasets", href="/datasets/")
    if operation == "disk.forget":
        return Place(title="Disks", href="/disks/")
    return origin(operation, data)


def pool_href(name: str) -> str:
    """The page of a pool."""
    return f"/pools/{quote(name, safe='')}/"


def replace_href(name: str, guid: Any) -> str:
    """The replace assistant of a pool, for the member of that guid."""
    return f"{pool_href(name)}replace/" + (f"?vdev={quote(str(guid), safe='')}" if guid else "")


def dataset_href(name: str) -> str:
    """The page of a dataset."""
    return f"/datasets/{quote(name)}/"


def snapshots_href(dataset: str) -> str:
    """The page with a dataset's snapshots."""
    return f"/snapshots/{quote(dataset)}/" if dataset else "/datasets/"


def snapshot_href(name: str) -> str:
    """The page of one snapshot, dataset@name."""
    return f"/snapshot/{quote(name)}/"


def _snapshots(data: Mapping[str, Any]) -> str | None:
    """One by its name, several by their number; a range is one too, whose number the plan knows."""
    named = data.get("snapshots")
    if not isinstance(named, list) or not named:
        return None
    if len(named) == 1 and "%" not in str(named[0]):
        return str(named[0])
    return "snapshots" if any("%" in str(one) for one in named) else counted(len(named), "snapshot")


def _of_snapshots(data: Mapping[str, Any]) -> Place:
    named = data.get("snapshots")
    first = str(named[0]) if isinstance(named, list) and named else str(data.get("snapshot", ""))
    return Place(title="Snapshots", href=snapshots_href(first.partition("@")[0]))


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
