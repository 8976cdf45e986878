"""Capacity against what fresh pools on OpenZFS 2.3.9 offered."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from host.capacity import Shape, shapes, space_of, usable_bytes

_ROWS = json.loads((Path(__file__).parents[1] / "transcripts/capacity.json").read_text())
_LAYOUTS = json.loads((Path(__file__).parents[1] / "transcripts/layouts.json").read_text())
_METADATA = 1 << 20  # on special vdevs it takes nothing from what is offered, and so comes on top
TB4 = 4_000_787_030_016


def _vdevs(row: dict[str, Any]) -> list[Shape]:
    members = [row["partition_bytes"]] * (row["disks"] // row["vdevs"])
    return [shape for _ in range(row["vdevs"]) for shape in shapes(row["layout"], members)]


def _name(row: dict[str, Any]) -> str:
    return f"{row['vdevs']}x{row['layout']}-{row['disks']}-{row['disk_bytes']}-ashift{row['ashift']}"


@pytest.mark.parametrize("row", _ROWS, ids=_name)
def test_usable_space_equals_what_was_measured_to_the_byte(row: dict[str, Any]) -> None:
    assert usable_bytes(_vdevs(row), ashift=row["ashift"]) == row["available_plus_used"]


@pytest.mark.parametrize("row", _ROWS, ids=_name)
def test_metaslabs_are_sized_as_openzfs_sizes_them(row: dict[str, Any]) -> None:
    space = space_of(_vdevs(row)[0], ashift=row["ashift"])
    assert (space.metaslab_shift, space.allocatable) == (row["metaslab_shift"], row["asize"])


def _words(row: dict[str, Any]) -> str:
    vdevs = "-".join(f"{v['role']}-{v['layout']}x{len(v['bytes'])}-{v['bytes'][0]}" for v in row["vdevs"])
    return f"{vdevs}-ashift{row['ashift']}"


def _of(row: dict[str, Any], *roles: str) -> list[Shape]:
    return [
        shape
        for vdev in row["vdevs"]
        if vdev["role"] in roles
        for shape in shapes(vdev["layout"], vdev["bytes"])
    ]


def test_what_was_measured_covers_what_people_build() -> None:
    counts = [sum(len(vdev["bytes"]) for vdev in row["vdevs"]) for row in _LAYOUTS]
    assert len(_LAYOUTS) >= 40
    assert (min(counts), max(counts)) == (1, 24)
    words = {vdev["layout"].partition(":")[0] for row in _LAYOUTS for vdev in row["vdevs"]}
    assert {"stripe", "mirror", "raidz1", "raidz2", "raidz3", "draid1", "draid2", "draid3"} <= words


@pytest.mark.parametrize("row", _LAYOUTS, ids=_words)
def test_every_layout_offers_what_was_measured(row: dict[str, Any]) -> None:
    predicted, measured = usable_bytes(_of(row, "data"), ashift=row["ashift"]), row["available_plus_used"]
    if any(vdev["role"] in {"special", "dedup"} for vdev in row["vdevs"]):
        assert 0 <= measured - predicted < _METADATA
        assert abs(measured - predicted) / measured < 0.001
    else:
        assert predicted == measured


@pytest.mark.parametrize("row", _LAYOUTS, ids=_words)
def test_every_vdev_is_divided_as_openzfs_divides_it(row: dict[str, Any]) -> None:
    spaces = [space_of(shape, ashift=row["ashift"]) for shape in _of(row, "data", "special", "dedup", "log")]
    found = [{"metaslab_shift": space.metaslab_shift, "asize": space.allocatable} for space in spaces]
    assert sorted(map(str, found)) == sorted(map(str, row["tops"]))


def test_devices_too_small_for_labels_offer_nothing() -> None:
    assert usable_bytes(shapes("raidz2", [1 << 20] * 6), ashift=12) == 0
    assert usable_bytes(shapes("draid1:2d:6c:1s", [32 << 20] * 6), ashift=12) == 0


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
