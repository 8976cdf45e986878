"""What ZFS reports of its own properties: the same table on every host."""

from __future__ import annotations

import pytest

from host.inventory import NativeProperty
from host.probe.datasets.property_table import read_property_table
from tests.contract.bench import POOL, Bench


def test_the_table_shows_what_can_be_set_inherited_and_chosen_from(tank: Bench) -> None:
    table = {entry.name: entry for entry in read_property_table(tank.host)}
    assert table["atime"] == NativeProperty(name="atime", editable=True, inheritable=True, values="on | off")
    assert table["quota"] == NativeProperty(
        name="quota", editable=True, inheritable=False, values="<size> | none"
    )
    once = {entry.name for entry in table.values() if entry.inheritable and not entry.editable}
    assert once == {"casesensitivity", "encryption", "normalization", "utf8only", "volblocksize"}
    assert not table["used"].editable
    assert "userused@..." not in table


@pytest.mark.core
def test_every_property_of_a_dataset_is_in_the_table(tank: Bench) -> None:
    known = {entry.name for entry in read_property_table(tank.host)}
    assert {name for name in tank.dataset(POOL).properties if ":" not in name} <= known
