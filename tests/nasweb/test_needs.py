"""What operations need of an inventory, and what their jobs ask of the machine for it."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from accounts.models import User
from host.base import Host, Result
from host.commands.base import Command
from host.families import EVERYTHING, NOTHING, Families, Family
from host.inventory import Inventory
from host.simulated import SimulatedHost
from jobs import broker, cache, engine
from jobs.models import Job
from jobs.submission import prepare, submit
from nasweb.operations import OPERATIONS
from pools.create_pool import CreatePool, NewVdev
from tests import guarded, made

POOLS = ("ZpoolGet", "ZpoolStatus")
DATASETS = ("ZfsListNames", "ZfsGet")
SHARES = ("SharingFiles", "SharingServices")
PEOPLE = ("ReadFact", "ReadFact")
NAMES = ("MachineFiles", "MachineMarks")


class Listening:
    """The simulated machine; it remembers the names of the commands it was asked for."""

    kind = "simulated"

    def __init__(self, host: Host) -> None:
        self._host = host
        self.asked: list[str] = []

    def run(self, command: Command) -> Result:
        self.asked.append(type(command).__name__)
        return self._host.run(command)


@pytest.fixture
def do(simulated: SimulatedHost, admin: User, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Carries a job out, and returns what it asked of the machine beside its own commands."""
    monkeypatch.setattr(broker, "send", lambda task, *args: True)
    host = Listening(simulated)

    def carry_out(operation: str, data: dict[str, Any]) -> list[str]:
        job = submit(operation, data, admin, digest=prepare(operation, data, admin).digest)
        host.asked.clear()
        engine.run(job.pk, host)
        ended = Job.objects.get(pk=job.pk)
        assert ended.state == "succeeded", ended.error
        return sorted(host.asked)

    inventory = cache.current()
    assert inventory is not None
    disks = [disk.id for disk in inventory.disks if disk.free][:3]
    vdevs = [{"role": "data", "layout": "raidz1", "disks": disks}]
    carry_out("pool.create", {"name": "tank", "vdevs": vdevs})
    carry_out("dataset.create", {"name": "tank/first"})
    return carry_out


def test_a_plan_that_reads_what_its_operation_does_not_need_ends_a_test() -> None:
    disks = tuple(made.disk(number) for number in range(1, 4))
    vdevs = (NewVdev(layout="raidz1", disks=tuple(disk.id for disk in disks)),)
    request, inventory = CreatePool(name="tank", vdevs=vdevs), made.inventory(*disks)
    plan = OPERATIONS["pool.create"].plan
    assert plan(request, guarded.only(inventory, EVERYTHING)) == plan(request, inventory)
    with pytest.raises(guarded.Undeclared, match="<disks, not needed>"):
        plan(request, guarded.only(inventory, EVERYTHING - {Family.DISKS}))


def test_every_field_of_an_inventory_is_of_a_family_or_known_otherwise() -> None:
    report = [name for names in guarded.FIELDS.values() for name in names] + list(guarded.OTHERS)
    assert sorted(report) == sorted(Inventory.__struct_fields__)
    assert set(guarded.FIELDS) == EVERYTHING


def test_every_operation_reads_something() -> None:
    """A probe for nothing is the one after a job, whose inventory is not guarded."""
    assert [name for name, operation in OPERATIONS.items() if operation.facts == NOTHING] == []


def test_a_job_asks_for_what_its_plan_needs_and_then_for_what_it_touched(do: Any) -> None:
    asked = do("dataset.create", {"name": "tank/second"})
    assert asked == sorted((*POOLS, *DATASETS, "ZfsCreate", *DATASETS, "ZfsListSnapshots"))
    asked = do("snapshot.create", {"datasets": ["tank/second"], "name": "now"})
    # With its first snapshot it may be a copy.
    first = ("ZfsGetReceived", "ZfsListSnapshots", "ZfsSnapshotDetails")
    assert asked == sorted((*POOLS, *DATASETS, "ZfsSnapshot", *DATASETS, *first))
    assert "ZfsGetReceived" not in do("snapshot.create", {"datasets": ["tank/second"], "name": "later"})
    asked = [name for name in do("group.create", {"name": "family"}) if name != "ZfsListSnapshots"]
    assert asked == sorted((*POOLS, *DATASETS, *SHARES, *PEOPLE, *NAMES, "AddGroup", *PEOPLE))


def test_what_a_job_did_is_in_the_cache_and_as_old_as_the_rest(do: Any) -> None:
    before = cache.current()
    do("dataset.create", {"name": "tank/second"})
    after = cache.current()
    assert before is not None and after is not None
    assert [one.name for one in after.datasets] == ["tank", "tank/first", "tank/second"]
    assert (after.as_of, after.disks, after.network) == (before.as_of, before.disks, before.network)


def test_who_asks_for_the_whole_machine_is_not_given_what_one_job_touched(
    simulated: SimulatedHost, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken: list[tuple[Families, bool]] = []

    def take(_: Host, fresh: Families, *, announced: bool) -> bool:
        taken.append((fresh, announced))
        return True

    monkeypatch.setattr(engine, "_take", take)
    with engine._one_probe, ThreadPoolExecutor(2) as both:
        waiting = [both.submit(refresh, simulated) for refresh in (engine._refresh_touched, engine.refresh)]
        engine._one_probe.release()
        for one in waiting:
            one.result()
        engine._one_probe.acquire()
    assert sorted(taken, key=lambda one: len(one[0])) == [(NOTHING, False), (EVERYTHING, True)]
