"""What datasets received, and when that is asked for."""

from __future__ import annotations

from pathlib import Path

import pytest

from host.base import Result
from host.commands.base import Command
from host.commands.datasets.datasets import ZfsRename
from host.commands.datasets.snapshots import ZfsSnapshot
from host.commands.datasets.zfs import ZfsCreate, ZfsGetReceived, ZfsSet
from host.inventory import Dataset
from host.probe.datasets.datasets import read_datasets
from host.probe.datasets.received import Received, parse_zfs_get_received
from host.probe.whole import probe
from host.simulated import SimulatedHost
from tests.contract.bench import POOL, Bench
from tests.contract.conftest import prepare


class Listening:
    """A simulated machine that remembers whose received values were asked for."""

    kind = "simulated"

    def __init__(self, host: SimulatedHost) -> None:
        self.host = host
        self.asked: list[tuple[str, ...]] = []

    def run(self, command: Command) -> Result:
        if isinstance(command, ZfsGetReceived):
            self.asked.append(command.names)
        return self.host.run(command)

    def datasets(self, received: Received) -> dict[str, Dataset]:
        seen = read_datasets(self)
        return {one.name: one for one in received.settle(self, seen)}


@pytest.fixture
def nas(tmp_path: Path) -> Listening:
    host = SimulatedHost(tmp_path / "machine.json", "home")
    disks = tuple(disk for disk in probe(host).disks if disk.free)[:2]
    prepare(host, *disks)
    Bench(host, disks).create(("data", "mirror", 2))
    for name in ("a", "b"):
        host.run(ZfsCreate(name=f"{POOL}/{name}"))
    return Listening(host)


def receive(nas: Listening, name: str, **values: str) -> None:
    """As after `zfs receive` of a copy with these properties."""
    with nas.host._store.change() as machine:  # there is no command that receives
        machine.pools[name.partition("/")[0]].datasets[name].received |= values


def test_each_dataset_is_asked_once(nas: Listening) -> None:
    received = Received()
    found = nas.datasets(received)
    assert nas.asked == [tuple(found)]
    nas.datasets(received)
    assert len(nas.asked) == 1


def test_a_hidden_value_is_reported_and_stays_known(nas: Listening) -> None:
    received = Received()
    name = next(iter(nas.datasets(received)))
    nas.host.run(ZfsSet(name=name, properties={"compression": "gzip"}))
    receive(nas, name, compression="zstd", checksum="sha256")
    for _ in range(2):
        found = nas.datasets(received)[name].properties
        assert (found["compression"].value, found["compression"].received) == ("gzip", "zstd")
        assert found["atime"].received is None
    # Once for what changed in between; from then on its snapshots show it.
    assert nas.asked[1:] == [(name,)]


def test_only_what_changed_is_asked_again(nas: Listening) -> None:
    received = Received()
    names = list(nas.datasets(received))
    nas.host.run(ZfsSet(name=names[-1], properties={"atime": "on"}))
    nas.datasets(received)
    assert nas.asked[1:] == [(names[-1],)]


def test_one_that_was_made_since_is_asked_with_its_first_snapshot(nas: Listening) -> None:
    received = Received()
    nas.datasets(received)
    for name in ("new", "new/below"):
        nas.host.run(ZfsCreate(name=f"{POOL}/{name}", properties={"checksum": "sha256"}))
    assert f"{POOL}/new/below" in nas.datasets(received)
    assert len(nas.asked) == 1
    receive(nas, f"{POOL}/new", checksum="sha512")
    nas.host.run(ZfsSnapshot(names=(f"{POOL}/new@one",)))
    assert nas.datasets(received)[f"{POOL}/new"].properties["checksum"].received == "sha512"
    assert nas.asked[1:] == [(f"{POOL}/new",)]


def test_a_copy_that_came_since_is_asked(nas: Listening) -> None:
    received = Received()
    nas.datasets(received)
    for name, values in (("done", {"checksum": "sha256"}), ("begun", {"atime": "off"})):
        nas.host.run(ZfsCreate(name=f"{POOL}/{name}", properties=values))
        receive(nas, f"{POOL}/{name}", checksum="sha512")
    nas.host.run(ZfsSnapshot(names=(f"{POOL}/done@one",)))
    found = nas.datasets(received)
    # The one hides what it received; the other has no snapshot yet, and shows it.
    assert [found[f"{POOL}/{name}"].properties["checksum"].received for name in ("done", "begun")] == [
        "sha512"
    ] * 2
    assert nas.asked[1:] == [(f"{POOL}/begun", f"{POOL}/done")]


def test_of_a_pool_that_was_imported_every_dataset_is_asked(nas: Listening) -> None:
    received = Received()
    seen = read_datasets(nas)
    received.settle(nas, ())
    received.settle(nas, seen)
    assert nas.asked == [tuple(one.name for one in seen)]


def test_what_another_dataset_received_is_not_kept_for_one_whose_name_it_took(nas: Listening) -> None:
    receive(nas, f"{POOL}/a", checksum="sha256")
    received, seen = Received(), read_datasets(nas)
    for name, new in (("a", "c"), ("b", "a"), ("c", "b")):
        nas.host.run(ZfsRename(name=f"{POOL}/{name}", to=f"{POOL}/{new}"))
    received.settle(nas, seen)
    found = nas.datasets(received)
    assert found[f"{POOL}/a"].properties["checksum"].received is None
    assert found[f"{POOL}/b"].properties["checksum"].received == "sha256"


def test_values_that_were_not_received_are_dashes() -> None:
    said = "tank\ttype\t-\ntank\tcompression\tzstd\ntank\tatime\t-\ntank/a\ttype\t-\ntank/a\tatime\t-\n"
    assert parse_zfs_get_received(said) == {"tank": {"compression": "zstd"}}
