"""Copies of the console's settings: the dataset that nobody mounts, and what answers where there is nothing.

What is kept is laid out by the worker, which this suite is not: on a real machine there is nothing to keep.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
import pytest

from host.backup.manifest import Checked, Listing
from host.base import CommandFailed, Host, Result
from host.commands.base import Command
from host.commands.copies import (
    CheckCopy,
    ForgetStaged,
    KeepCopy,
    ListCopies,
    OrderRestored,
    SaveSambaAccounts,
    StageCopy,
)
from host.commands.datasets.zfs import ZfsCreate, ZfsDestroy
from host.families import Family
from host.system.own_datasets import SHELF, of_pool
from tests.contract.bench import POOL, Bench, read_inventory

KEYS = (f"{number:016x}" for number in range(1, 1000))
CONTENT = "c0" * 32


@pytest.fixture
def shelf(tank: Bench, host: Host) -> Iterator[str]:
    name = of_pool(POOL)
    host.run(ZfsCreate(name=name, properties=SHELF))
    yield name
    host.run(ZfsDestroy(name=name))


def listed(host: Host, dataset: str) -> Listing:
    return msgspec.json.decode(host.run(ListCopies(dataset=dataset, key=next(KEYS))).stdout, type=Listing)


def refuse(host: Host, command: Command) -> Result:
    with pytest.raises(CommandFailed) as failure:
        host.run(command)
    return failure.value.result


def test_a_pool_without_copies_says_so(tank: Bench, host: Host) -> None:
    report = listed(host, of_pool(POOL))
    assert (report.copies, report.problem) == ((), "none")


@pytest.mark.core
def test_the_dataset_of_copies_is_in_no_list_and_mounted_by_nobody(shelf: str, host: Host) -> None:
    inventory = read_inventory(host, frozenset({Family.POOLS}))
    assert inventory.dataset(shelf) is None
    (found,) = inventory.keeping
    assert found.name == shelf
    report = {
        name: found.value(name) for name in ("mounted", "mountpoint", "copies", "nasweb:policy", "quota")
    }
    assert report == {
        "mounted": "no", "mountpoint": "legacy", "copies": "2", "nasweb:policy": "off", "quota": str(2 << 30),
    }  # fmt: skip


def test_an_empty_one_is_read_again_and_again(shelf: str, host: Host) -> None:
    assert [listed(host, shelf) for _ in range(2)] == [Listing(), Listing()]
    assert not read_inventory(host, frozenset({Family.POOLS})).keeping[0].mounted


def test_what_was_not_laid_out_is_not_kept(shelf: str, host: Host) -> None:
    refused = refuse(host, KeepCopy(dataset=shelf, content=CONTENT, secrets=False))
    assert (refused.exit, refused.stderr) == (3, "What the worker laid out is gone. Try again.\n")


def test_a_copy_that_is_not_there_is_neither_checked_nor_laid_out(shelf: str, host: Host) -> None:
    said = host.run(CheckCopy(dataset=shelf, key=next(KEYS))).stdout
    report = msgspec.json.decode(said, type=Checked)
    assert (report.manifest, report.problem) == (None, "none")
    refused = refuse(host, StageCopy(dataset=shelf))
    assert (refused.exit, refused.stderr) == (3, "There is no such copy on this pool (any more).\n")


def test_whom_samba_knows_is_said_to_nobody(host: Host) -> None:
    said = host.run(SaveSambaAccounts())
    assert (said.stdout, said.stderr) == ("", "")


def test_nothing_is_put_in_place_that_was_not_laid_out(host: Host) -> None:
    host.run(ForgetStaged())
    refused = refuse(host, OrderRestored())
    assert refused.exit == 1
    assert refused.stderr.endswith("database.staged': No such file or directory\n")
    host.run(ForgetStaged())
