"""Capacity against what fresh pools on OpenZFS 2.3.9 offered."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from host.capacity import Shape, shapes, space_of, usable_bytes

_ROWS = json.loads((Path(__file__).parents[1] / "transcripts/capacity.json").read_text())
_MEASURED = [row for row in _ROWS if not row["layout"].startswith("draid")]
TB4 = 4_000_787_030_016


def _vdevs(row: dict[str, Any]) -> list[Shape]:
    members = [row["partition_bytes"]] * (row["disks"] // row["vdevs"])
    return [shape for _ in range(row["vdevs"]) for shape in shapes(row["layout"], members)]


def _name(row: dict[str, Any]) -> str:
    return f"{row['vdevs']}x{row['layout']}-{row['disks']}-{row['disk_bytes']}-ashift{row['ashift']}"


@pytest.mark.parametrize("row", _MEASURED, ids=_name)
def test_usable_space_equals_what_was_measured_to_the_byte(row: dict[str, Any]) -> None:
    assert usable_bytes(_vdevs(row), ashift=row["ashift"]) == row["available_plus_used"]


@pytest.mark.parametrize("row", _MEASURED, ids=_name)
def test_metaslabs_are_sized_as_openzfs_sizes_them(row: dict[str, Any]) -> None:
    space = space_of(_vdevs(row)[0], ashift=row["ashift"])
    assert (space.metaslab_shift, space.allocatable) == (row["metaslab_shift"], row["asize"])


def test_six_whole_disks_of_4_tb_in_raidz2_offer_15_847_gigabytes() -> None:
    assert usable_bytes(shapes("raidz2", [TB4] * 6), ashift=12) == 15_847_120_699_392


def test_a_vdev_is_as_large_as_its_smallest_member_allows() -> None:
    assert space_of(Shape("mirror", (TB4, TB4 // 2)), ashift=12) == space_of(
        Shape("mirror", (TB4 // 2, TB4 // 2)), ashift=12
    )


def test_each_member_of_a_stripe_is_a_vdev_of_its_own() -> None:
    assert shapes("stripe", [1, 2]) == (Shape("stripe", (1,)), Shape("stripe", (2,)))


def test_few_metaslabs_leave_none_to_the_intent_log() -> None:
    assert space_of(Shape("stripe", (16_000_000_000,)), ashift=12).embedded_log == 0
    assert space_of(Shape("stripe", (100_000_000_000,)), ashift=12).embedded_log == 1 << 29
