"""The form of what `zfs get` says, by which rows are known that only a value with line feeds adds."""

from __future__ import annotations

from itertools import groupby
from operator import itemgetter

import pytest

from host.commands.datasets.zfs import ZfsCreate, ZfsGet, ZfsGetSome, ZfsListNames
from tests.contract.bench import Bench


@pytest.mark.core
def test_each_dataset_is_printed_in_one_piece_that_begins_with_its_type(tank: Bench) -> None:
    name = tank.fresh()
    tank.host.run(ZfsCreate(name=f"{name}/below", properties={"a:note": "x"}))
    said = [line.split("\t") for line in tank.host.run(ZfsGet()).stdout.splitlines()]
    guids = dict(line.split("\t") for line in tank.host.run(ZfsListNames()).stdout.splitlines())
    names = list(guids)
    assert [row[0] for row in said if row[1] == "type"] == names
    assert [one for one, _ in groupby(row[0] for row in said)] == names
    assert [one for one, rows in groupby(said, itemgetter(0)) if next(rows)[1] != "type"] == []
    assert {row[0]: row[2] for row in said if row[1] == "guid"} == guids


def test_some_datasets_are_printed_as_all_are(tank: Bench) -> None:
    name = tank.fresh()
    answer = tank.host.run(ZfsGetSome(names=(f"{name}/gone", name)))
    assert answer.exit == 1
    assert f"cannot open '{name}/gone': dataset does not exist" in answer.stderr
    own = [line for line in tank.host.run(ZfsGet()).stdout.splitlines() if line.startswith(f"{name}\t")]
    assert [line.split("\t")[:2] for line in answer.stdout.splitlines()] == [
        line.split("\t")[:2] for line in own
    ]
