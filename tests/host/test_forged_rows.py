"""A value that holds line feeds and tabs says nothing of any other dataset or snapshot."""

from __future__ import annotations

from pathlib import Path

import pytest

from host.base import Host
from host.commands.datasets.snapshots import ZfsHold, ZfsSnapshot
from host.commands.datasets.zfs import MARK, ZfsCreate, ZfsSet
from host.inventory import Dataset
from host.probe.datasets.datasets import read_datasets
from host.probe.datasets.marks import read_marks
from host.probe.datasets.received import Received
from host.probe.datasets.snapshots import read_details, read_holds
from host.probe.whole import probe
from host.simulated import SimulatedHost
from tests.contract.bench import POOL, SECOND_POOL, Bench
from tests.contract.conftest import prepare

EVIL = f"{POOL}/evil"  # what came with a copy lies as well as a pool does
# Before and behind it in ZFS's order, next to it, and in another pool. What is below inherits its values.
OTHERS = (f"{POOL}/a", f"{POOL}/evim", SECOND_POOL)


@pytest.fixture
def host(tmp_path: Path) -> SimulatedHost:
    host = SimulatedHost(tmp_path / "machine.json", "home")
    disks = tuple(disk for disk in probe(host).disks if disk.free)[:3]
    prepare(host, *disks)
    bench = Bench(host, disks)
    bench.create(("data", "mirror", 2))
    bench.create(("data", "stripe", 1), name=SECOND_POOL, first=2)
    for name in (f"{POOL}/a", EVIL, f"{EVIL}/below", f"{POOL}/evim"):
        host.run(ZfsCreate(name=name))
    for name in (POOL, EVIL, *OTHERS):
        host.run(ZfsSnapshot(names=(f"{name}@one",)))
    return host


def lie(host: SimulatedHost, rows: str, *, name: str = "evil:note", of: str = EVIL) -> None:
    """A value such as no command of the console sets: it ends its own row and begins others."""
    with host._store.change() as machine:
        machine.pools[POOL].datasets[of].values[name] = f"x\tlocal\n{rows}\nz\tevil:end\t-"


def datasets(host: Host) -> dict[str, Dataset]:
    return {one.name: one for one in read_datasets(host)}


def full(name: str) -> str:
    """A whole dataset as `zfs get all` has it, but for its values."""
    said = ("type\tvolume", "guid\t1", "mounted\tyes", "mountpoint\t/etc", "nasweb:policy\tall")
    return "\n".join(f"{name}\t{one}\tlocal" for one in said)


@pytest.mark.parametrize("prop", ["evil:note", "mountpoint", "sharenfs"])
@pytest.mark.parametrize("victim", [*OTHERS, POOL])
@pytest.mark.parametrize("form", ["one row", "all rows", "twice"])
def test_no_property_of_another_dataset_is_forged(
    host: SimulatedHost, prop: str, victim: str, form: str
) -> None:
    before = datasets(host)
    one = f"{victim}\tnasweb:policy\t{{}}\tlocal"
    rows = {"one row": one, "all rows": full(victim), "twice": f"{full(victim)}\n{one}"}[form]
    lie(host, rows, name=prop)
    after = datasets(host)
    assert after.keys() == before.keys()
    assert after[victim] == before[victim]
    report = probe(host).dataset(victim)
    assert report is not None and "nasweb:policy" not in report.properties


def test_datasets_that_lie_about_each_other_keep_what_they_are(host: SimulatedHost) -> None:
    before = datasets(host)
    names = (EVIL, f"{POOL}/a", f"{POOL}/evim")
    for name in names:
        lie(host, "\n".join(full(other) for other in names if other != name), of=name)
    after = datasets(host)
    assert list(after) == list(before)
    for name in names:
        kept = ("type", "guid", "mounted", "mountpoint")
        assert [after[name].value(one) for one in kept] == [before[name].value(one) for one in kept]
        assert "nasweb:policy" not in after[name].properties


def test_no_dataset_is_invented(host: SimulatedHost) -> None:
    before = datasets(host)
    lie(host, f"{full(f'{POOL}/none')}\n{full('-rf')}\n{full('$(x)')}")
    assert datasets(host).keys() == before.keys()


@pytest.mark.parametrize("victim", OTHERS)
def test_no_received_value_of_another_dataset_is_forged(host: SimulatedHost, victim: str) -> None:
    with host._store.change() as machine:
        forged = f"x\n{victim}\ttype\t-\n{victim}\tmountpoint\t/etc\nz\tevil:end\ty"
        machine.pools[POOL].datasets[EVIL].received["evil:note"] = forged
        machine.pools[POOL].datasets[EVIL].values["evil:note"] = "here"
    found = {one.name: one for one in Received().settle(host, read_datasets(host))}
    assert found[victim].properties["mountpoint"].received is None


@pytest.mark.parametrize("victim", OTHERS)
def test_no_mark_of_another_snapshot_is_forged(host: SimulatedHost, victim: str) -> None:
    rows = f"{victim}@one\tuserrefs\t0\t-\n{victim}@one\tclones\t\t-\n{victim}@one\t{MARK}\t1\tlocal"
    for said in (rows, rows.splitlines()[-1]):
        with host._store.change() as machine:
            (snapshot,) = machine.pools[POOL].datasets[EVIL].snapshots
            snapshot.values[MARK] = f"x\tlocal\n{said}\nz\tz\tz"
        names = tuple(f"{name}@one" for name in (EVIL, *OTHERS))
        assert f"{victim}@one" not in read_marks(host, names)


@pytest.mark.parametrize("victim", OTHERS)
def test_no_details_of_another_snapshot_are_forged(host: SimulatedHost, victim: str) -> None:
    names = tuple(f"{name}@one" for name in (EVIL, *OTHERS))
    before = {one.name: one for one in read_details(host, names)}
    forged = f"{victim}@one\t1\t2\t3\t4\t5\t0\toff\t-\t1\n{victim}@one\ta\tb\tc\td\te\t0\toff\t-\t1\nz"
    with host._store.change() as machine:
        (snapshot,) = machine.pools[POOL].datasets[EVIL].snapshots
        snapshot.values[MARK] = f"x\n{forged}"
    after = list(read_details(host, names))
    assert sorted(one.name for one in after) == sorted(names)
    assert {one.name: one for one in after}[f"{victim}@one"] == before[f"{victim}@one"]


def test_a_tag_with_line_feeds_keeps_no_hold_from_being_read(host: SimulatedHost) -> None:
    host.run(ZfsHold(names=(f"{EVIL}@one", f"{POOL}/a@one"), tag="keep"))
    with host._store.change() as machine:
        (snapshot,) = machine.pools[POOL].datasets[EVIL].snapshots
        snapshot.holds |= {
            "z\nno row": 5,
            f"z\t1\n{SECOND_POOL}@one\tkeep": 6,
            f"z\t1\n{POOL}/a@one\tmore": 7,
        }
    holds = list(read_holds(host, (f"{POOL}/a@one", f"{EVIL}@one")))
    assert {one.tag for one in holds if one.snapshot == f"{POOL}/a@one"} == {"keep"}
    assert {one.snapshot for one in holds} == {f"{POOL}/a@one", f"{EVIL}@one"}


def test_what_is_set_as_always_is_read_as_always(host: SimulatedHost) -> None:
    host.run(ZfsSet(name=EVIL, properties={"evil:note": "plain", "mountpoint": "/mnt/📷"}))
    found = datasets(host)[EVIL]
    assert (found.value("evil:note"), found.value("mountpoint")) == ("plain", "/mnt/📷")
