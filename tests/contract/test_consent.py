"""No plan takes what was not given: whatever is asked of a pool's members, in whatever state they are.

The machine is the one under test; hypothesis then lets its members fail, count errors and be resilvered, and
asks for anything. Each operation of pools that is composed is tried, with all of its fields.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from host.base import Host
from host.commands.closed import AnyCommand
from host.commands.disks.partition import WipeSignatures, WritePartition
from host.commands.pools.members import ZpoolAdd, ZpoolAttach, ZpoolDetach, ZpoolOffline, ZpoolReplace
from host.commands.pools.zpool import ZpoolCreate
from host.inventory import Disk, DiskClaim, Inventory, Pool, Scan, Vdev, leaves
from jobs.plan import Plan, Refused
from jobs.planning.shape import read
from nasweb.operations import OPERATIONS
from tests.contract.bench import POOL, Bench
from tests.contract.real_run import the_sockets
from tests.fuzzing import tries

# Those that can take a disk: by their own word, so that one that is added later is tried too.
TAKERS = [
    operation
    for name, operation in OPERATIONS.items()
    if name.startswith("pool.") and {"disk", "disks", "vdevs"} & set(operation.request.__struct_fields__)
]
STATES = ("ONLINE", "ONLINE", "ONLINE", "OFFLINE", "FAULTED", "UNAVAIL", "REMOVED", "DEGRADED")
# The plans are made here and not there: a real machine adds its own inventories, which a few cases try.
_SETTINGS = settings(tries(20 if the_sockets() else 80), suppress_health_check=list(HealthCheck))


@pytest.fixture(scope="module")
def machines(host: Host, prepared: tuple[Disk, ...]) -> Iterator[tuple[Inventory, ...]]:
    """What the host is with a raidz and its spare, and with a mirror beside a single disk and a log."""
    bench = Bench(host, prepared)
    seen = []
    for wanted in (
        [("data", "raidz1", 3), ("spare", "stripe", 1)],
        [("data", "mirror", 2), ("data", "stripe", 1), ("log", "stripe", 1)],
        [("data", "mirror", 3)],
    ):
        bench.create(*wanted, force=True)  # type: ignore[arg-type]
        seen.append(bench.inventory())
        bench.host.end()
    yield tuple(seen)


def pool_of(inventory: Inventory) -> Pool:
    pool = inventory.pool(POOL)
    assert pool is not None
    return pool


def vdevs_of(vdev: Vdev) -> Iterator[Vdev]:
    yield vdev
    for child in vdev.children:
        yield from vdevs_of(child)


def with_faults(draw: Any, inventory: Inventory) -> Inventory:
    """The same machine, perhaps with faults."""
    if draw(st.booleans()):
        return inventory
    pool = pool_of(inventory)

    def hit(vdev: Vdev) -> Vdev:
        if vdev.children:
            return msgspec.structs.replace(vdev, children=tuple(hit(child) for child in vdev.children))
        if vdev.role == "spare":
            return vdev
        state = draw(st.sampled_from(STATES))
        errors = draw(st.sampled_from((0, 0, 0, 3)))
        gone = state in {"UNAVAIL", "REMOVED"}
        return msgspec.structs.replace(
            vdev, state=state, checksum_errors=errors, disk=None if gone else vdev.disk
        )

    scan = draw(st.sampled_from((None, Scan(function="RESILVER", state="SCANNING", percent=10.0))))
    hurt = msgspec.structs.replace(pool, vdevs=tuple(hit(vdev) for vdev in pool.vdevs), scan=scan)
    disks = []
    for disk in inventory.disks:
        health = draw(st.sampled_from(("good", "good", "failing", "unknown")))
        extra = draw(st.sampled_from(((), (), ("filesystem", False), ("mounted", True), ("burn-in", True))))
        claims = disk.claims
        if extra and not claims:
            claims = (DiskClaim(kind=extra[0], words="something", active=extra[1]),)
        disks.append(msgspec.structs.replace(disk, health=health, claims=claims))
    return msgspec.structs.replace(inventory, pools=(hurt,), disks=tuple(disks))


def request_for(draw: Any, kind: type[msgspec.Struct], inventory: Inventory) -> dict[str, Any]:
    """Anything that the request takes; fields that are not known here are left out."""
    pool = pool_of(inventory)
    guids = [vdev.guid for top in pool.vdevs for vdev in vdevs_of(top)]
    all_ids = [disk.id for disk in inventory.disks]
    free = [disk.id for disk in inventory.disks if not disk.in_use]
    ids = st.sampled_from(free or all_ids) | st.sampled_from(all_ids)
    vdev = st.fixed_dictionaries(
        {
            "role": st.sampled_from(("data", "log", "cache", "special", "spare")),
            "layout": st.sampled_from(("stripe", "mirror", "raidz1")),
            "disks": st.lists(ids, min_size=1, max_size=3),
        }
    )
    known = {
        "name": st.sampled_from((POOL, POOL, POOL, "fresh")),
        "vdev": st.sampled_from(guids),
        "disk": ids,
        "vdevs": st.lists(vdev, min_size=1, max_size=2),
        "confirm": st.sampled_from((None, "", POOL, "1", *guids)),
        "cancel": st.booleans(),
    }
    asked: dict[str, Any] = {}
    for field in msgspec.structs.fields(kind):
        if field.encode_name in known and (field.required or draw(st.booleans())):
            asked[field.encode_name] = draw(known[field.encode_name])
    return asked


def plan_of(operation: Any, asked: dict[str, Any], inventory: Inventory) -> Plan | None:
    shaped = read(operation.request, asked)
    if shaped.findings:
        return None
    try:
        plan: Plan = operation.plan(shaped.value, inventory)
    except Refused as refused:
        assert any(finding.level == "error" for finding in refused.findings)
        return None
    return plan


def commands_of(plan: Plan) -> tuple[AnyCommand, ...]:
    return tuple(command for step in plan.steps for command in step.commands)


def links_in(command: AnyCommand) -> tuple[str, ...]:
    """What a command takes for itself."""
    match command:
        case WipeSignatures() | WritePartition():
            return (command.disk,)
        case ZpoolReplace() | ZpoolAttach():
            return (command.device,)
        case ZpoolAdd() | ZpoolCreate():
            return tuple(link for vdev in command.vdevs for link in vdev.devices)
        case _:
            return ()


@given(data=st.data())
@_SETTINGS
@pytest.mark.core
def test_nothing_is_taken_or_replaced_without_being_asked_to(
    machines: tuple[Inventory, ...], data: st.DataObject
) -> None:
    inventory = with_faults(data.draw, machines[data.draw(st.integers(0, len(machines) - 1))])
    operation = data.draw(st.sampled_from(TAKERS))
    asked = request_for(data.draw, operation.request, inventory)
    plan = plan_of(operation, asked, inventory)
    if plan is None:
        return
    pool = pool_of(inventory)
    members = {leaf.guid: leaf for top in pool.vdevs for leaf in leaves(top)}
    by_link = {link: disk for disk in inventory.disks for link in disk.links}
    spares = {vdev.disk for vdev in pool.vdevs if vdev.role == "spare" and vdev.state == "AVAIL"}
    lost = {loss.disk for loss in plan.destroys}
    for command in commands_of(plan):
        if isinstance(command, ZpoolReplace):
            old = members[command.vdev]
            disk = by_link.get(old.disk or "")
            works = old.state == "ONLINE" and not old.checksum_errors
            failing = disk is not None and disk.health == "failing"
            assert not works or failing or asked.get("confirm") == old.guid
        for link in links_in(command):
            disk = by_link[link.removeprefix("/dev/disk/by-id/").removesuffix("-part1")]
            called_in = isinstance(command, ZpoolReplace) and disk.id in spares
            assert called_in or not disk.in_use
            assert called_in or disk.free or disk.id in lost  # and so the digest is asked for


def readable(vdev: Vdev, failed: frozenset[str]) -> bool:
    """Whether the data of `vdev` can be read: said again from the manual, without the rule under test."""
    if not vdev.children:
        return vdev.state in {"ONLINE", "DEGRADED"} and vdev.guid not in failed
    gone = sum(not readable(child, failed) for child in vdev.children)
    if vdev.kind == "raidz":
        return gone <= int(vdev.name[len("raidz")])
    return gone < len(vdev.children)


def survived(vdev: Vdev) -> int:
    """How many failures in any combination, by trying them all."""
    guids = [leaf.guid for leaf in leaves(vdev)]
    for count in range(len(guids) + 1):
        if not all(readable(vdev, frozenset(lost)) for lost in itertools.combinations(guids, count)):
            return count - 1
    return len(guids)


def afterwards(top: Vdev, command: AnyCommand) -> Vdev:
    """The top-level vdev without the leaf that a command lets go."""
    if not isinstance(command, ZpoolOffline | ZpoolDetach):
        return top
    children = []
    for child in top.children:
        if child.guid != command.vdev:
            children.append(child)
        elif isinstance(command, ZpoolOffline):
            children.append(msgspec.structs.replace(child, state="OFFLINE"))
    if top.guid == command.vdev:
        return msgspec.structs.replace(top, state="OFFLINE")
    return msgspec.structs.replace(top, children=tuple(children))


@given(data=st.data())
@_SETTINGS
def test_no_plan_lowers_redundancy_silently(machines: tuple[Inventory, ...], data: st.DataObject) -> None:
    inventory = with_faults(data.draw, machines[data.draw(st.integers(0, len(machines) - 1))])
    names = ("pool.offline", "pool.detach", "pool.add")
    operation = OPERATIONS[data.draw(st.sampled_from(names))]
    asked = request_for(data.draw, operation.request, inventory)
    plan = plan_of(operation, asked, inventory)
    if plan is None:
        return
    codes = {finding.code for finding in plan.findings if finding.level == "warning"}
    pool = pool_of(inventory)
    for command in commands_of(plan):
        for top in (vdev for vdev in pool.vdevs if vdev.role == "data"):
            before, after = survived(top), survived(afterwards(top, command))
            if after < before:
                assert after >= 0
                assert "less-redundancy" in codes
                assert after > 0 or asked["confirm"] == getattr(command, "vdev", None)
        if isinstance(command, ZpoolAdd):
            whole = min(top.kind != "disk" and survived(_whole(top)) for top in _vital(pool.vdevs))
            coming = min((_of_spec(spec.layout, len(spec.devices)) for spec in command.vdevs
                          if spec.role in {"data", "special", "dedup"}), default=whole)  # fmt: skip
            if coming < whole:
                assert codes & {"less-redundancy", "single-disk-beside-redundant"}
                assert asked["confirm"] == POOL


def _vital(vdevs: tuple[Vdev, ...]) -> tuple[Vdev, ...]:
    return tuple(vdev for vdev in vdevs if vdev.role == "data")


def _whole(vdev: Vdev) -> Vdev:
    children = tuple(_whole(child) for child in vdev.children)
    return msgspec.structs.replace(vdev, state="ONLINE", children=children)


def _of_spec(layout: str, disks: int) -> int:
    return {"stripe": 0, "mirror": disks - 1, "raidz1": 1}[layout]
