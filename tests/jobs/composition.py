"""A machine and a table of operations small enough to see through."""

from __future__ import annotations

from collections.abc import Callable

from host.base import CommandFailed, Host, HostUnavailable, Result
from host.commands.base import Command
from host.commands.datasets.zfs import ZfsCreate
from host.commands.disks.partition import UdevSettle
from host.families import EVERYTHING, Families
from host.inventory import Inventory
from jobs.operation import Operation
from jobs.plan import Loss, Plan, Step
from jobs.wording import Wording, at
from pools import create_pool
from pools.datasets import create_dataset, destroy_dataset
from tests import made


class Machine:
    """Runs nothing; calls `before` with what is about to run, fails at a dataset called tank/broken."""

    kind = "simulated"

    def __init__(self) -> None:
        self.ran: list[Command] = []
        self.before: Callable[[Command], None] = lambda _: None
        self.reachable = True
        self.inventory = made.inventory(
            *(made.disk(number) for number in range(1, 7)),
            pools=(made.pool(),),
            datasets=(made.dataset("tank"),),
        )

    def run(self, command: Command) -> Result:
        self.before(command)
        self.ran.append(command)
        if isinstance(command, ZfsCreate) and command.name == "tank/broken":
            raise CommandFailed(command, Result(exit=1, stderr="cannot create: no reason"))
        return Result(exit=0, stdout=f"ran {command.argv()[0]}\n")


MACHINE = Machine()


def take_inventory(host: Host, fresh: Families = EVERYTHING) -> Inventory:
    assert host is MACHINE
    if not MACHINE.reachable:
        raise HostUnavailable("nobody answers")
    return MACHINE.inventory


def the_host() -> Host:
    return MACHINE


def plan_steps(request: create_dataset.CreateDataset, inventory: Inventory) -> Plan:
    """Three steps of which the second destroys, if the name says so."""
    destroys = (Loss(dataset="tank/x", holds="everything"),) if request.name == "tank/destroy" else ()
    steps = tuple(
        Step(title=f"Step {n}", commands=(UdevSettle(), UdevSettle()), destroys=destroys if n == 2 else ())
        for n in (1, 2, 3)
    )
    return Plan(operation="test.steps", steps=steps, claims=(f"dataset:{request.name}",))


def plan_one(request: create_dataset.CreateDataset, _inventory: Inventory) -> Plan:
    """One step."""
    return Plan(operation="test.remembers", steps=(Step(title="Settle", commands=(UdevSettle(),)),))


def plan_rows(request: create_dataset.CreateDataset, _inventory: Inventory) -> Plan:
    """No step: only the database changes."""
    return Plan(operation="test.rows", steps=())


def plan_two(request: create_dataset.CreateDataset, inventory: Inventory) -> Plan:
    """Create a dataset, and two commands more."""
    (made_,) = create_dataset.plan(request, inventory).steps
    return Plan(operation="test.two", steps=(made_, Step(title="Settle", commands=(UdevSettle(),) * 2)))


WORDING = Wording(title="Do it to {name}", page=at("Overview", "/"))
OPERATIONS = {
    "pool.create": Operation(
        name="pool.create",
        request=create_pool.CreatePool,
        plan=create_pool.plan,
        scope="pools:write",
        effect="destroys",
        wording=WORDING,
    ),
    "dataset.create": Operation(
        name="dataset.create",
        request=create_dataset.CreateDataset,
        plan=create_dataset.plan,
        scope="pools:write",
        effect="changes",
        wording=WORDING,
    ),
    "test.steps": Operation(
        name="test.steps",
        request=create_dataset.CreateDataset,
        plan=plan_steps,
        scope="pools:write",
        effect="destroys",
        wording=WORDING,
    ),
    "test.two": Operation(
        name="test.two",
        request=create_dataset.CreateDataset,
        plan=plan_two,
        scope="pools:write",
        effect="changes",
        wording=WORDING,
    ),
    "test.remembers": Operation(
        name="test.remembers",
        request=create_dataset.CreateDataset,
        plan=plan_one,
        scope="pools:write",
        effect="changes",
        wording=WORDING,
        remember=lambda *_: None,
    ),
    "test.rows": Operation(
        name="test.rows",
        request=create_dataset.CreateDataset,
        plan=plan_rows,
        scope="pools:write",
        effect="changes",
        wording=WORDING,
        remember=lambda *_: None,
    ),
    "dataset.destroy": Operation(
        name="dataset.destroy",
        request=destroy_dataset.DestroyDataset,
        plan=destroy_dataset.plan,
        scope="pools:write",
        effect="destroys",
        wording=WORDING,
    ),
}
