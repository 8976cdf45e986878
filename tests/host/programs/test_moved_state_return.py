"""The way back: at a start, from the pool to the own disk."""

from __future__ import annotations

from pathlib import Path

import pytest

from host.base import Result
from tests.host.programs.state_bench import Machine, tree
from tests.host.programs.test_moved_state_move import (
    ETC,
    FIND,
    KEPT,
    MOUNT,
    NEW,
    REASONS,
    RSYNC,
    UNMOUNT,
    spoil,
)

BEFORE = "before-20261124T030405Z"
TAKE_PLACES = [
    "mv --exchange -T /.nasweb-var /var", "mv --exchange -T /.nasweb-home /home", "sync",
    f"remove {ETC}/place", f"sync -f {ETC}",
]  # fmt: skip
FINISH = [
    "rm -rf --one-file-system /.nasweb-var", "remove /var/.nasweb-complete",
    "rm -rf --one-file-system /.nasweb-home", "remove /home/.nasweb-complete",
    f"remove {ETC}/return", f"sync -f {ETC}",
]  # fmt: skip
POOLS_VAR = {
    "log/a": "pool", "lib/db": "own", "lib/new": "pool", "lib/dpkg/status": "own", "lib/apt/lists": "own",
}  # fmt: skip
POOLS_HOME = {"note": "pool", "more": "own"}


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    made = Machine(tmp_path)
    made.have_moved()
    made.places.way_back.write_text("The next start copies back.\n")
    return made


def is_back(machine: Machine) -> bool:
    """The own disk has what the pool had, and nothing is left over."""
    return (
        (machine.files("var"), machine.files("home")) == (POOLS_VAR, POOLS_HOME)
        and (machine.orders(), machine.seen()) == (set(), {})
        and not any(name.startswith(".nasweb") for name in machine.beside())
    )


def test_the_start_brings_everything_back(machine: Machine) -> None:
    unchanged = (machine.places.root / "home/more").stat().st_ino
    machine.restart()
    assert machine.steps == [
        *FIND, *MOUNT,
        "rm -rf --one-file-system /.nasweb-var", "mkdir /.nasweb-var",
        f"{RSYNC} --link-dest=/var {KEPT} {NEW}/var/ /.nasweb-var/",
        "mkdir /.nasweb-var/lib/dpkg",
        f"{RSYNC} --link-dest=/var/lib/dpkg /var/lib/dpkg/ /.nasweb-var/lib/dpkg/",
        "mkdir /.nasweb-var/lib/apt",
        f"{RSYNC} --link-dest=/var/lib/apt /var/lib/apt/ /.nasweb-var/lib/apt/",
        "rm -rf --one-file-system /.nasweb-home", "mkdir /.nasweb-home",
        f"{RSYNC} --link-dest=/home {NEW}/home/ /.nasweb-home/",
        # Only when all of it is on the disk is it whole.
        "sync", "write /.nasweb-var/.nasweb-complete", "write /.nasweb-home/.nasweb-complete", "sync",
        *UNMOUNT, *TAKE_PLACES, *FINISH,
    ]  # fmt: skip
    assert (machine.status, machine.said, machine.report()) == (0, [], {})
    assert is_back(machine)
    assert machine.beside() == set()
    assert (machine.places.root / "home/more").stat().st_ino == unchanged  # the same file, not one more
    # What is on the pool stays until somebody discards it.
    assert (machine.pool / "home/note").read_text() == "pool"
    machine.restart()
    assert machine.steps == []


@pytest.mark.parametrize("reason", REASONS)
def test_it_waits_for_its_pool(machine: Machine, reason: str) -> None:
    spoil(machine, reason)
    beside = machine.places.root / ".nasweb-var"
    beside.mkdir()
    machine.restart()
    assert machine.orders() == {"place", "return", "ran-here"}
    assert (machine.report()["from"], machine.report()["why"]) == ("here", reason)
    assert machine.said == [f"/var is the one of the system's own disk: {reason} "] * 2
    assert machine.files("home") == {"note": "own", "more": "own"}
    assert not beside.exists()


@pytest.mark.parametrize("fails", [
    "mount -t zfs tank/.nasweb-state/home /run",
    f"{RSYNC} --link-dest=/var ", f"{RSYNC} --link-dest=/var/lib/apt",
    "rm -rf --one-file-system /.nasweb-home", "mv --exchange -T /.nasweb-var",
])  # fmt: skip
def test_one_that_fails_is_said_and_the_pool_is_used_on(machine: Machine, fails: str) -> None:
    machine.fails_once = {fails: Result(exit=11, stderr="cannot\nNo space left on device (28)\n")}
    machine.restart()
    assert (machine.status, machine.orders()) == (0, {"place"})
    assert machine.places.not_returned.read_text() == "said=No space left on device (28)\n"
    assert machine.said == [
        "/var stays on the pool: No space left on device (28)",
        "/var and /home since 2026-11-02T03:04:05Z: on the pool tank.",
    ]
    assert machine.report() == {"from": "pool", "why": "", "said": ""}
    assert (machine.files("home"), machine.beside()) == (POOLS_HOME, set())
    assert machine.seen().keys() & {f"{NEW}/var", f"{NEW}/home"} == set()
    # Ordered again it goes well.
    machine.places.way_back.touch()
    machine.restart()
    assert is_back(machine)


def test_what_is_all_here_needs_no_pool_any_more(machine: Machine) -> None:
    assert machine.restart_cut(at="mv --exchange -T /.nasweb-home")
    assert tree(machine.places.folder("home")) == {"note": "own", "more": "own"}
    assert tree(machine.places.folder("var"))["log/a"] == "pool"
    machine.pool_missing = True
    machine.restart()
    assert machine.steps == [*TAKE_PLACES[1:], *FINISH]
    assert is_back(machine)


def test_of_one_that_is_whole_and_one_that_is_not_neither_is_used(machine: Machine) -> None:
    old = machine.places.root / ".nasweb-var"
    old.mkdir()
    (old / ".nasweb-complete").touch()
    (old / "old").write_text("from an earlier day")
    machine.restart()
    assert is_back(machine)


def test_what_was_written_here_while_the_pool_was_missing_is_not_removed(machine: Machine) -> None:
    machine.pool_missing = True
    machine.restart()
    (machine.places.root / "home/lone").write_text("lone")
    machine.pool_missing = False
    machine.restart()
    assert machine.beside() == {f"var.{BEFORE}", f"home.{BEFORE}"}
    assert machine.files(f"home.{BEFORE}") == {"note": "own", "more": "own", "lone": "lone"}
    assert is_back(machine)
    assert machine.steps[-9:] == [
        f"rename /.nasweb-var /var.{BEFORE}", "rm -rf --one-file-system /.nasweb-var",
        FINISH[1],
        f"rename /.nasweb-home /home.{BEFORE}", "rm -rf --one-file-system /.nasweb-home",
        FINISH[3], f"remove {ETC}/ran-here", *FINISH[4:],
    ]  # fmt: skip


def test_a_way_back_that_fails_forgets_nothing_of_what_was_written_here(machine: Machine) -> None:
    machine.places.ran_here.touch()
    machine.fails = {f"{RSYNC} --link-dest=/home": Result(exit=11, stderr="no\n")}
    machine.restart()
    assert machine.orders() == {"place", "ran-here"}
    assert machine.beside() == set()  # what is half made is of no use later


def test_one_that_fails_between_both_folders_keeps_what_was_written_here(machine: Machine) -> None:
    # /var has changed places already: what lies beside it is the only copy of what was written meanwhile.
    machine.places.ran_here.touch()
    (machine.places.root / "var/lone").write_text("lone")
    machine.fails = {"mv --exchange -T /.nasweb-home": Result(exit=1, stderr="Device or resource busy\n")}
    machine.restart()
    assert machine.orders() == {"place", "ran-here"}
    assert machine.beside() == {f"var.{BEFORE}"}
    assert machine.files(f"var.{BEFORE}")["lone"] == "lone"


def test_an_order_to_return_what_was_not_moved_is_forgotten(machine: Machine) -> None:
    machine.places.place.unlink()
    machine.restart()
    assert (machine.orders(), machine.steps) == (set(), [
        "rm -rf --one-file-system /.nasweb-var", "rm -rf --one-file-system /.nasweb-home",
        f"remove {ETC}/return", f"sync -f {ETC}",
    ])  # fmt: skip
    assert machine.files("home") == {"note": "own", "more": "own"}
