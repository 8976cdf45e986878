"""Each start since the move: from the pool, or with what the own disk has."""

from __future__ import annotations

from pathlib import Path

import pytest

from host.base import Result
from tests.host.programs.state_bench import PLACE, Machine
from tests.host.programs.test_moved_state_move import FIND, REASONS, spoil


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    made = Machine(tmp_path)
    made.have_moved()
    return made


def test_it_mounts_the_pool_s(machine: Machine) -> None:
    machine.restart()
    assert machine.status == 0
    assert machine.places.report.read_text() == "from=pool\nwhy=\nsaid=\n"
    assert machine.said == ["/var and /home since 2026-11-02T03:04:05Z: on the pool tank."]
    assert machine.seen() == {
        "/run/nasweb-root": "/dev/md/root",
        "/var": "tank/.nasweb-state/var", "/home": "tank/.nasweb-state/home",
        "/var/lib/dpkg": "/dev/md/root", "/var/lib/apt": "/dev/md/root",
    }  # fmt: skip
    assert machine.files("var") == {
        "log/a": "pool", "lib/db": "own", "lib/new": "pool", "lib/dpkg/status": "own", "lib/apt/lists": "own",
    }  # fmt: skip
    assert machine.files("home") == {"note": "pool", "more": "own"}
    assert machine.places.place.read_text() == PLACE
    assert machine.orders() == {"place"}


@pytest.mark.parametrize("reason", REASONS)
def test_without_the_pool_it_goes_on_with_what_is_here_and_remembers_that(
    machine: Machine, reason: str
) -> None:
    spoil(machine, reason)
    machine.restart()
    assert (machine.status, machine.seen()) == (0, {})
    assert machine.places.report.read_text() == f"from=here\nwhy={reason}\nsaid=\n"
    assert machine.said == [f"/var is the one of the system's own disk: {reason} "]
    assert machine.orders() == {"place", "ran-here"}
    assert machine.files("home") == {"note": "own", "more": "own"}


@pytest.mark.parametrize("fails", [
    "mount --bind --make-private", "mount -t zfs tank/.nasweb-state/var",
    "mount -t zfs tank/.nasweb-state/home", "mount --bind /run/nasweb-root/var/lib/apt",
])  # fmt: skip
def test_what_cannot_be_mounted_whole_is_taken_back(machine: Machine, fails: str) -> None:
    machine.fails = {fails: Result(exit=32, stderr="one\nmount: it cannot be mounted.\n")}
    machine.restart()
    assert (machine.status, machine.seen()) == (0, {})
    assert machine.report() == {
        "from": "here", "why": "mount-failed", "said": "mount: it cannot be mounted.",
    }  # fmt: skip
    assert machine.said == [
        "/var is the one of the system's own disk: mount-failed mount: it cannot be mounted."
    ]
    assert machine.orders() == {"place", "ran-here"}
    assert machine.files("home") == {"note": "own", "more": "own"}


def test_it_is_taken_back_from_the_inside_out_although_something_uses_it(machine: Machine) -> None:
    machine.fails = {
        "mount --bind /run/nasweb-root/var/lib/apt": Result(exit=32, stderr="no\n"),
        "umount --lazy /home": Result(exit=32, stderr="no, either\n"),
    }
    machine.restart()
    assert [step for step in machine.steps if step.startswith("umount")] == [
        "umount --lazy /var/lib/dpkg", "umount --lazy /var", "umount --lazy /home",
        "umount --lazy /run/nasweb-root",
    ]  # fmt: skip
    assert (machine.status, machine.report()["why"]) == (0, "mount-failed")
    assert machine.seen() == {"/home": "tank/.nasweb-state/home"}


def test_a_folder_that_the_dataset_has_no_place_for_is_a_mount_that_failed(machine: Machine) -> None:
    (machine.pool / "var/lib/apt").rmdir()
    machine.restart()
    assert (machine.report()["why"], machine.seen()) == ("mount-failed", {})


def test_that_it_ran_here_may_be_impossible_to_note(machine: Machine) -> None:
    machine.pool_missing = True
    machine.places.ran_here.mkdir()
    machine.restart()
    assert (machine.status, machine.report()["why"]) == (0, "pool-missing")


@pytest.mark.parametrize("pool_missing", [False, True])
def test_what_an_unfinished_way_back_has_left_is_not_taken_for_whole_from_then_on(
    machine: Machine, pool_missing: bool
) -> None:
    machine.pool_missing = pool_missing
    beside = machine.places.root / ".nasweb-home"
    beside.mkdir()
    (beside / ".nasweb-complete").touch()
    (machine.places.root / "var/.nasweb-complete").touch()
    assert machine.start_program("start") == 0
    assert machine.steps[:5] == [
        "remove /var/.nasweb-complete", "sync -f /", "remove /.nasweb-home/.nasweb-complete", "sync -f /",
        FIND[0],
    ]  # fmt: skip
    assert not (beside / ".nasweb-complete").exists()
