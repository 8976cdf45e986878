"""snapshot.clone: a dataset of its own that starts as a snapshot was."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from host.commands.datasets.snapshots import ZfsClone
from host.inventory import Dataset, Inventory, Snapshot
from jobs.needs import Needs
from jobs.plan import Plan, Step
from jobs.planning.findings import Findings
from jobs.planning.words import sentences
from pools.mounting import check_new, place_below
from pools.names import dataset_name_fault
from pools.properties import check_properties
from pools.snapshots import selection

_Text = Annotated[str, Meta(max_length=1024)]


class CloneSnapshot(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Make the dataset `name`, a whole path in the same pool, from `snapshot`. It takes no space until it is
    changed, and the snapshot stays as long as it does."""

    snapshot: _Text
    name: _Text
    properties: dict[_Text, Annotated[str, Meta(max_length=10_240)]] = {}


def needs(request: CloneSnapshot, _inventory: Inventory) -> Needs:
    """The snapshots that the plan looks at."""
    return Needs(snapshots=selection.wanted((request.snapshot,), recursive=False))


def plan(request: CloneSnapshot, inventory: Inventory) -> Plan:
    """Raises `Refused` for an unknown snapshot, and for a place where no dataset can be made."""
    findings = Findings()
    chosen = selection.choose((request.snapshot,), inventory, findings, "snapshot")
    if len(chosen) > 1:
        findings.error("not-a-snapshot", "snapshot", "Name one snapshot.")
    source = inventory.dataset(request.snapshot.partition("@")[0])
    if source is not None:
        check_properties(
            request.properties,
            "properties",
            findings,
            kind=source.kind,
            table=inventory.facts.native,
            existing=True,
        )
    _check_place(request, inventory, findings)
    findings.refuse_on_error()
    if source is not None:
        parent = inventory.dataset(request.name.rpartition("/")[0])
        check_new(request.name, source.kind, request.properties, parent, findings, source=source)
    findings.refuse_on_error()
    command = ZfsClone(snapshot=chosen[0].name, name=request.name, properties=dict(request.properties))
    message = (
        f"{chosen[0].name} cannot be destroyed while {request.name} exists. To reverse that, promote it."
    )
    findings.info("keeps-snapshot", "name", message)
    return Plan(
        operation="snapshot.clone",
        steps=(Step(title=f"Make {request.name} from {chosen[0].name}", commands=(command,)),),
        summary=_summary(request, chosen[0], source, inventory),
        findings=findings.all(),
        claims=(f"dataset:{chosen[0].dataset}", f"dataset:{request.name}"),
    )


def _summary(request: CloneSnapshot, snapshot: Snapshot, source: Dataset | None, inventory: Inventory) -> str:
    parent = inventory.dataset(request.name.rpartition("/")[0])
    place = request.properties.get("mountpoint") or place_below(parent, request.name) or ""
    volume = source is not None and source.kind == "volume"
    locked = source is not None and source.value("keystatus") == "unavailable"
    mounted = request.properties.get("canmount", "on") == "on" and place.startswith("/") and not locked
    return sentences(
        f"{request.name} becomes a writable copy of {snapshot.dataset} as it was in the snapshot "
        f"{snapshot.tag}{f', mounted at {place}' if mounted and not volume else ''}.",
        f"It shares its space with {snapshot.dataset} and takes more only as it changes.",
        f"{snapshot.name} cannot be deleted as long as {request.name} exists.",
    )


def _check_place(request: CloneSnapshot, inventory: Inventory, findings: Findings) -> None:
    name, parent_name = request.name, request.name.rpartition("/")[0]
    if fault := dataset_name_fault(name):
        findings.error("bad-name", "name", fault)
    elif inventory.dataset(name):
        findings.error("name-taken", "name", f"There is a dataset {name} already.")
    elif name.partition("/")[0] != request.snapshot.partition("@")[0].partition("/")[0]:
        message = "A clone is in the same pool as its snapshot. To copy it to another pool, send it there."
        findings.error("other-pool", "name", message)
    elif (parent := inventory.dataset(parent_name)) is None:
        findings.error("unknown-parent", "name", f"Create {parent_name} first: it does not exist.")
    elif parent.kind == "volume":
        findings.error("parent-is-volume", "name", f"{parent.name} is a volume and holds no datasets.")
