"""Which disks are suggested for a first pool."""

from __future__ import annotations

import pytest

from host.inventory import Disk
from pools.advice.first_disks import suggested
from tests import made

TB = 10**12


def serials(*disks: Disk) -> list[str | None]:
    return [disk.serial for disk in suggested(made.inventory(*disks))]


def test_all_free_disks_of_a_kind() -> None:
    assert serials(*(made.disk(number) for number in range(1, 7))) == [f"WD-000{n}" for n in range(1, 7)]


def test_no_disk_is_no_suggestion() -> None:
    assert serials() == []
    assert serials(made.with_file_system(1), made.used(2, "md", "member of md0")) == []


@pytest.mark.parametrize(
    "changes",
    [
        {"transport": "usb"},
        {"medium": "flash"},
        {"unwell": ("8 pending sectors",)},
        {"health": "failing"},
        {"twins": ("ata-other",)},
    ],
)
def test_what_is_no_base_for_a_pool_is_left_out(changes: dict[str, object]) -> None:
    assert serials(made.disk(1, **changes), made.disk(2), made.disk(3)) == ["WD-0002", "WD-0003"]


@pytest.mark.parametrize(
    ("sizes_tb", "chosen"),
    [
        ((3, 3, 3, 0.5), [0, 1, 2]),  # one small disk would shrink all others
        ((16, 3, 3, 3, 3, 3, 3), [0, 1, 2, 3, 4, 5, 6]),  # and one large disk is no pool beside six
        ((8, 8, 4, 4), [0, 1, 2, 3]),  # the same space either way: more disks survive more
        ((8, 8, 1, 1), [0, 1]),
    ],
)
def test_sizes_that_go_together_are_chosen(sizes_tb: tuple[float, ...], chosen: list[int]) -> None:
    disks = [made.disk(index + 1, size_bytes=int(size * TB)) for index, size in enumerate(sizes_tb)]
    assert serials(*disks) == [disks[index].serial for index in chosen]


def test_kinds_are_not_mixed() -> None:
    ssds = [made.disk(number, medium="ssd", size_bytes=TB) for number in (1, 2)]
    hdds = [made.disk(number) for number in (3, 4, 5)]
    assert serials(*ssds, *hdds) == ["WD-0003", "WD-0004", "WD-0005"]
