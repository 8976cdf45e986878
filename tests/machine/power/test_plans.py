"""machine.restart and machine.shut-down, by comparing values."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from host.commands.system.power import PowerOffSoon, RestartSoon
from host.inventory import (
    ArrayMember,
    BootImport,
    BootNotes,
    Conversion,
    Inventory,
    MdArray,
    MovedState,
    PendingChange,
    Scan,
    Unit,
)
from host.replication.rewriting import Rewrite
from host.replication.values import Replicating, Replication
from host.repositories.answers import Action
from host.repositories.known import BackupRun, Backups, Repository
from host.repositories.settings import LocalFolder, RepositorySettings
from jobs.plan import Plan, Refused
from machine.power import restart, shut_down
from machine.power.restart import Restart
from machine.power.shut_down import ShutDown
from machine.power.use import QUESTION, ClientUse, JobUse, MachineUse
from tests import made
from tests.machine.cases import machine

IDLE = MachineUse(clients=())
ANNA = ClientUse(who="anna at 192.168.1.7 (SMB)", files=3, writing=1)
SNAPSHOT = JobUse(id=7, title="Take a snapshot", by="ada", must_end=False)
CREATION = JobUse(id=8, title="Create pool tank", by="ada", must_end=True)


def asked(inventory: Inventory, use: MachineUse = IDLE) -> Inventory:
    return msgspec.structs.replace(inventory, answers={QUESTION: use})


def nas(use: MachineUse = IDLE, **changes: Any) -> Inventory:
    return asked(msgspec.structs.replace(machine(), **changes), use)


def found(plan: Plan, level: str) -> dict[str, str]:
    return {one.code: one.message for one in plan.findings if one.level == level}


def refused(inventory: Inventory) -> dict[str, str]:
    with pytest.raises(Refused) as caught:
        restart.plan(Restart(), inventory)
    with pytest.raises(Refused):
        shut_down.plan(ShutDown(), inventory)
    return {one.code: one.message for one in caught.value.findings if one.level == "error"}


def test_a_restart_is_one_command_and_loses_nothing() -> None:
    plan = restart.plan(Restart(), nas())
    assert [step.commands for step in plan.steps] == [(RestartSoon(),)]
    assert (plan.destroys, plan.claims) == ((), ("machine:power",))
    assert plan.summary == "nas restarts. No data will be deleted."
    assert found(plan, "warning") == {
        "interrupts": "All shares and this console stop until the machine has started again. "
        "Nobody is connected to a share."
    }


def test_a_shutdown_says_how_the_machine_is_turned_on_again() -> None:
    plan = shut_down.plan(ShutDown(), nas())
    assert [step.commands for step in plan.steps] == [(PowerOffSoon(),)]
    assert found(plan, "info") == {"turn-on": "To turn it on again, press its power button."}
    assert "power button" in plan.summary
    assert plan.claims == ("machine:power",)


def test_the_plan_of_one_start_is_not_that_of_the_next() -> None:
    first, next_one = (
        restart.plan(Restart(), nas(naming=msgspec.structs.replace(machine().naming, boot=boot)))
        for boot in ("a-1", "b-2")
    )
    assert first.claims == ("machine:power", "start:a-1")
    assert first.digest != next_one.digest


def test_who_is_connected_is_named_and_no_part_of_the_digest() -> None:
    busy = restart.plan(Restart(), nas(MachineUse(clients=(ANNA,))))
    assert (
        "1 client connected: anna at 192.168.1.7 (SMB), with 3 open files, 1 being written. Unsaved "
        "changes in files being written are lost."
    ) in found(busy, "warning")["interrupts"]
    assert busy.digest == restart.plan(Restart(), nas()).digest


def test_many_clients_are_counted() -> None:
    reader = ClientUse(who="bob (SMB)", files=0, writing=0)
    plan = restart.plan(Restart(), nas(MachineUse(clients=(reader,) * 12, more_clients=3)))
    said = found(plan, "warning")["interrupts"]
    assert "15 clients connected: bob (SMB)" in said
    assert said.endswith("; and 5 more.")


def test_a_machine_whose_shares_do_not_answer_can_be_restarted() -> None:
    plan = restart.plan(Restart(), nas(MachineUse(clients=None)))
    assert "is not known" in found(plan, "warning")["interrupts"]
    assert restart.plan(Restart(), machine()).digest == plan.digest  # nor one that answers nothing at all


def test_a_job_that_can_be_cut_off_is_named() -> None:
    plan = restart.plan(Restart(), nas(MachineUse(clients=(), jobs=(SNAPSHOT,), restores=1, rights_runs=2)))
    assert found(plan, "info") == {
        "job-cut": "Job 7 of ada is running and is cut off: Take a snapshot.",
        "restores-cut": "1 restore of files under way: cut off, and to be started again.",
        "rights-cut": "2 changes of folder permissions under way: cut off half done.",
    }
    assert plan.digest == restart.plan(Restart(), nas()).digest


def test_copies_that_are_under_way_are_named_with_what_becomes_of_them() -> None:
    task = Replication(id=1, key="1" * 16, name="photos", source="tank/photos", target_id=1, target="attic")
    tasks = tuple(
        msgspec.structs.replace(task, name=name, **how)
        for name, how in (("one", {"running": True}), ("two", {"proving": True}), ("three", {}))
    )
    rewrite = Rewrite(key="2" * 16, dataset="tank/films")
    rewrites = (
        msgspec.structs.replace(rewrite, running=True),
        msgspec.structs.replace(rewrite, dataset="tank/music", comparing=True),
        msgspec.structs.replace(rewrite, dataset="tank/done", live=True),
    )
    stick = RepositorySettings(local=LocalFolder(path="/media/stick/backups"))
    actions: tuple[Action, ...] = ("backup", "check", "restore")
    repositories = tuple(
        Repository(
            name=f"at-{action}", key="3" * 16, settings=stick, ready=True,
            running=BackupRun(run="4" * 16, action=action, started_at="", backup="Photos"),
        )
        for action in actions
    )  # fmt: skip
    busy = nas(
        replicating=Replicating(tasks=tasks), rewrites=rewrites, backups=Backups(repositories=repositories)
    )
    plan = restart.plan(Restart(), busy)
    assert [one.message for one in plan.findings if one.level == "info"] == [
        "The replication one is cut off. What has arrived stays, and its next run goes on from there.",
        "The proof of the replication two is cut off.",
        "The rewrite of tank/films is cut off. What was copied stays, and it can go on from there.",
        "The comparison of tank/music.rewritten with tank/music is cut off.",
        "The backup Photos is cut off. What it has stored is not lost: its next run goes on from there.",
        "The check of at-check is cut off.",
        "The restore from at-restore is cut off, and has to be started again.",
    ]
    assert plan.digest == restart.plan(Restart(), nas()).digest


def test_measurements_that_are_under_way_are_counted() -> None:
    plan = restart.plan(Restart(), nas(MachineUse(clients=(), measurements=2)))
    assert found(plan, "info") == {
        "measurements-cut": "2 measurements, such as benchmarks and scans, under way: cut off, and to be "
        "started again."
    }


def test_a_job_that_must_end_is_waited_for() -> None:
    assert refused(nas(MachineUse(clients=(), jobs=(SNAPSHOT, CREATION)))) == {
        "job-runs": "Job 8 of ada is running: Create pool tank. Wait until it has finished, or abort it on "
        "its page."
    }


def test_a_second_order_is_refused_with_the_job_of_the_first() -> None:
    first = JobUse(id=9, title="Restart the machine", by="bob", must_end=True)
    assert refused(nas(MachineUse(clients=(), ordered="restart", ordered_by=first))) == {
        "already-ordered": "The machine restarts within seconds: job 9 of bob asked for it."
    }
    assert refused(nas(MachineUse(clients=(), ordered="shut down"))) == {
        "already-ordered": "The machine shuts down within seconds."
    }


@pytest.mark.parametrize(("running", "codes"), [(True, {"system-copied"}), (False, set())])
def test_the_copy_of_the_system_is_never_cut_off(running: bool, codes: set[str]) -> None:
    copy = Conversion(
        state="copying", array="8:8:8:8", disk="ata-x", done_bytes=1, total_bytes=2, started_at="",
        updated_at="", running=running,
    )  # fmt: skip
    inventory = nas(boot=BootNotes(conversion=copy))
    if codes:
        assert refused(inventory).keys() == codes
    else:
        assert restart.plan(Restart(), inventory).steps


def test_what_the_kernel_does_goes_on_after_the_start() -> None:
    scrubbing = made.pool(scan=Scan(function="SCRUB", state="SCANNING"))
    done = made.pool("old", scan=Scan(function="RESILVER", state="FINISHED"))
    plan = restart.plan(Restart(), nas(pools=(scrubbing, done)))
    assert found(plan, "info") == {"goes-on": "The scrub of tank continues after the next start."}


def test_what_has_to_begin_again_is_warned_of() -> None:
    plan = restart.plan(
        Restart(),
        nas(
            disks=(made.disk(1), made.disk(2)),
            units=(
                Unit(kind="burn-in", serial="WD-0001", state="running"),
                Unit(kind="blink", serial="WD-0002", state="running"),
            ),
            moved=MovedState(phase="copying", pool="tank", folders=("var", "home")),
        ),
    )
    warnings = found(plan, "warning")
    assert warnings["burn-in"].startswith("The burn-in of WDC WD30EFRX (bay A1, serial WD-0001) ends")
    assert warnings["state-copy"] == "The first copy of /var and /home to tank is cut off."


def test_datasets_that_are_locked_after_the_start_are_named() -> None:
    def encrypted(name: str, status: str, root: str) -> Any:
        return made.dataset(name, encryptionroot=root, keystatus=status, keylocation="prompt")

    datasets = (
        made.dataset("tank"),
        encrypted("tank/a", "available", "tank/a"),
        encrypted("tank/a/below", "available", "tank/a"),
        encrypted("tank/b", "unavailable", "tank/b"),
        made.dataset("tank/c", encryptionroot="tank/c", keystatus="available", keylocation="file:///etc/key"),
    )
    plan = restart.plan(Restart(), nas(datasets=datasets))
    said = "Locked after the next start until somebody unlocks them: tank/a."
    assert found(plan, "warning")["locked-after"] == said


def test_a_degraded_boot_pair_is_warned_of() -> None:
    half = made.disk(1)
    array = MdArray(
        name="root", kname="md0", path="/dev/md0", uuid="8:8:8:8", level="raid1", metadata="1.2",
        size_bytes=1 << 30, wanted=2, state="clean", mountpoints=("/",),
        members=(ArrayMember(path="/dev/sda3", disk=half.id, partition=3, slot=0, state="in sync"),),
    )  # fmt: skip
    said = found(restart.plan(Restart(), nas(disks=(half,), arrays=(array,))), "warning")["boot-degraded"]
    assert said == (
        "The boot pair is degraded: the machine can only start from WDC WD30EFRX (bay A1, serial "
        "WD-0001). Complete the pair first."
    )


def test_what_the_start_does_otherwise_is_warned_of() -> None:
    at_start = BootImport(from_cache="enabled", by_scan="disabled", mounting="enabled", cached=("1",))
    inventory = nas(
        pools=(made.pool(state="SUSPENDED"),),
        facts=msgspec.structs.replace(machine().facts, boot_import=at_start),
        network=msgspec.structs.replace(machine().network, pending=PendingChange(interface="eno1")),
    )
    warnings = found(restart.plan(Restart(), inventory), "warning")
    assert warnings.keys() == {"interrupts", "network-pending", "pool-suspended", "not-imported"}
    assert warnings["network-pending"] == "The change of eno1 is not confirmed: it is reverted."
