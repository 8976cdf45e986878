"""The power goes at each step, and in the middle of long ones: nothing is lost, and it comes to its end."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.host.programs.state_bench import DPKG, Machine, each_cut, tree, without_kept
from tests.host.programs.test_moved_state_return import BEFORE, POOLS_HOME, POOLS_VAR, is_back

Make = Callable[[str], Machine]
OWN_VAR = {"log/a": "own", "lib/db": "own", "lib/dpkg/status": "own", "lib/apt/lists": "own"}
OWN_HOME = {"note": "own", "more": "own"}


@pytest.fixture
def make(tmp_path: Path) -> Make:
    return lambda name: Machine(tmp_path / name)


def wanted(make: Make) -> Make:
    def made(name: str) -> Machine:
        machine = make(name)
        machine.want()
        return machine

    return made


def ordered(make: Make) -> Make:
    def made(name: str) -> Machine:
        machine = wanted(make)(name)
        assert machine.start_program("copy") == 0
        (machine.places.root / "home/note").write_text("newest")
        return machine

    return made


def returning(make: Make, *, ran_here: bool = False) -> Make:
    def made(name: str) -> Machine:
        machine = make(name)
        machine.have_moved()
        machine.places.way_back.touch()
        if ran_here:
            machine.places.ran_here.touch()
        return machine

    return made


def test_a_first_copy_that_is_cut_off_changes_nothing_here(make: Make) -> None:
    for step, machine in each_cut(wanted(make), lambda one: one.start_program("copy")):
        machine.restart()
        moved = machine.places.place.exists()  # it was cut off after the last rename
        assert (step.startswith("sync -f /etc") and moved) or machine.orders() == {"wanted"}, step
        assert (machine.files("var"), machine.files("home")) == (OWN_VAR, OWN_HOME), step
        if not moved:
            assert machine.start_program("copy") == 0, step
            machine.restart()
        assert (machine.orders(), machine.report()["from"]) == ({"place"}, "pool"), step
        assert (machine.files("var"), machine.files("home")) == (OWN_VAR, OWN_HOME), step


def test_a_move_that_is_cut_off_has_been_made_or_is_made_anew(make: Make) -> None:
    newest = OWN_HOME | {"note": "newest"}
    for step, machine in each_cut(ordered(make), lambda one: one.restart()):
        own = machine.places.root
        # Without the pool it starts with what its own disk has: all of it.
        machine.pool_missing = True
        machine.restart()
        assert (tree(own / "var"), tree(own / "home")) == (OWN_VAR, newest), step
        assert machine.report()["from"] == "here", step
        machine.pool_missing = False
        machine.restart()
        assert (machine.orders() - {"ran-here"}, machine.report()["from"]) == ({"place"}, "pool"), step
        assert (machine.files("var"), machine.files("home")) == (OWN_VAR, newest), step
        assert without_kept(tree(machine.pool / "var")) == without_kept(OWN_VAR), step


@pytest.mark.parametrize("ran_here", [False, True])
def test_a_way_back_that_is_cut_off_comes_to_its_end_at_the_next_start(make: Make, ran_here: bool) -> None:
    for step, machine in each_cut(returning(make, ran_here=ran_here), lambda one: one.restart()):
        # Neither folder is ever half of something, each is the pool's or the own one's.
        assert tree(machine.places.folder("home")) in (
            OWN_HOME, POOLS_HOME, POOLS_HOME | {".nasweb-complete": ""}
        ), step  # fmt: skip
        assert machine.files("var")[DPKG] == "own", step
        machine.restart()
        assert is_back(machine), step
        if ran_here:
            assert machine.files(f"home.{BEFORE}") == OWN_HOME, step
            assert machine.files(f"var.{BEFORE}") == OWN_VAR, step
        else:
            assert machine.beside() == set(), step


def test_a_way_back_that_is_cut_off_goes_on_without_its_pool_or_waits_for_it(make: Make) -> None:
    for step, machine in each_cut(returning(make), lambda one: one.restart()):
        machine.pool_missing = True
        machine.restart()
        if not is_back(machine):
            assert machine.report()["why"] == "pool-missing", step
            assert (machine.files("var"), machine.files("home")) == (OWN_VAR, OWN_HOME), step
            (machine.places.root / "home/lone").write_text("lone")
            machine.pool_missing = False
            machine.restart()
            assert is_back(machine), step
            assert machine.files(f"home.{BEFORE}") == OWN_HOME | {"lone": "lone"}, step


def test_a_start_that_is_cut_off_leaves_everything_as_it_is(make: Make) -> None:
    def moved(name: str) -> Machine:
        machine = make(name)
        machine.have_moved()
        return machine

    for step, machine in each_cut(moved, lambda one: one.restart()):
        machine.restart()
        assert (machine.files("var"), machine.files("home")) == (POOLS_VAR, POOLS_HOME), step
        assert machine.orders() == {"place"}, step


Starts = st.lists(
    st.tuples(
        st.booleans(),  # with the pool
        st.one_of(st.none(), st.integers(0, 45)),  # the step before which, or in which, the power goes
        st.booleans(),
    ),
    max_size=6,
)


@given(order=st.sampled_from(["move", "return"]), starts=Starts)
def test_whatever_happens_in_a_row_nothing_that_was_ever_written_is_lost(
    tmp_path_factory: pytest.TempPathFactory, order: str, starts: list[tuple[bool, int | None, bool]]
) -> None:
    base = tmp_path_factory.mktemp("row")

    def make(name: str) -> Machine:
        return Machine(base / name)

    machine = ordered(make)("machine") if order == "move" else returning(make)("machine")
    written: set[str] = set()
    for number, (pool, cut, halfway) in enumerate([*starts, (True, None, False)]):
        machine.pool_missing = not pool
        if cut is not None and machine.restart_cut(cut, halfway=halfway):
            continue
        if cut is None:
            machine.restart()
        # It works, and somebody writes something.
        assert machine.files("var")[DPKG] == "own"
        for folder in ("var", "home"):
            (machine.places.root / folder / f"written-{number}").touch()
            written.add(f"{folder}/written-{number}")
    where = [machine.places.root, machine.pool, machine.places.own]
    here = [path for path in machine.places.root.iterdir() if ".before-" in path.name]
    for one in written:
        folder, name = one.split("/")
        found = [(place / folder / name).exists() for place in where]
        found += [(path / name).exists() for path in here if path.name.startswith(folder)]
        assert any(found), one
    assert machine.orders() - {"ran-here"} == ({"place"} if order == "move" else set())
    assert machine.report().get("from", "here") == ("pool" if order == "move" else "here")
    assert not any(name.startswith(".nasweb") for name in machine.beside())
