"""advice/: all sensible layouts of some disks, and the one that is recommended."""

from __future__ import annotations

from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from host.inventory import Disk, Inventory
from jobs.plan import Refused
from pools.advice.arrangements import Arrangement, arrangements, from_key, mirrors_of
from pools.advice.ask import AdviceAnswer, AskAdvice, LayoutAnswer, advise
from pools.advice.recommendation import Use
from pools.create_pool import CreatePool, NewVdev, plan
from tests import made
from tests.fuzzing import tries

USES: tuple[Use, ...] = get_args(Use)
TB = 10**12
ANY_SIZES = st.lists(
    st.sampled_from([3 * 10**9, 500 * 10**9, 4 * TB, 8 * TB, 20 * TB]), min_size=1, max_size=30
)


def disks_of(sizes: list[int], **more: Any) -> tuple[Disk, ...]:
    return tuple(made.disk(number, size_bytes=size, **more) for number, size in enumerate(sizes, 1))


def asked(disks: tuple[Disk, ...], use: Use = "mixed", **more: Any) -> AdviceAnswer:
    request = AskAdvice(disks=tuple(disk.id for disk in disks), use=use, **more)
    return advise(request, made.inventory(*disks))


def recommended(answer: AdviceAnswer) -> LayoutAnswer:
    (found,) = [layout for layout in answer.layouts if layout.recommended]
    return found


@pytest.mark.parametrize(
    ("count", "use", "name"),
    [
        (1, "media", "single disk"),
        (2, "vms", "mirror of 2"),
        (3, "vms", "mirror of 3"),
        (3, "media", "raidz1 of 3"),
        (4, "mixed", "2 × mirror of 2"),
        (4, "backup", "raidz2 of 4"),
        (5, "vms", "2 × mirror of 2, 1 spare"),
        (6, "mixed", "raidz2 of 6"),
        (8, "media", "raidz2 of 8"),
        (12, "mixed", "2 × raidz2 of 6"),
        (13, "backup", "2 × raidz2 of 6, 1 spare"),
        (24, "media", "3 × raidz2 of 8"),
        (24, "vms", "12 × mirror of 2"),
        (36, "backup", "draid2:8d:36c:1s"),
        (6, "scratch", "stripe of 6"),
    ],
)
def test_what_is_recommended(count: int, use: Use, name: str) -> None:
    found = recommended(asked(disks_of([4 * TB] * count), use))
    assert found.name == name
    assert found.reasons


@tries(30)
@given(ANY_SIZES, st.sampled_from(USES))
def test_the_recommended_layout_is_possible_first_and_survives_a_failure(sizes: list[int], use: Use) -> None:
    answer = asked(disks_of(sizes), use)
    found = recommended(answer)
    assert answer.recommended == found.key == answer.layouts[0].key
    assert len({layout.key for layout in answer.layouts}) == len(answer.layouts)
    if len(sizes) > 1 and use != "scratch":
        assert found.capacity.survives >= 1


@tries(20)
@given(ANY_SIZES, st.sampled_from(USES))
def test_every_layout_uses_every_disk_once_and_can_be_created(sizes: list[int], use: Use) -> None:
    disks = disks_of(sizes)
    machine = made.inventory(*disks)
    for layout in advise(AskAdvice(disks=tuple(disk.id for disk in disks), use=use), machine).layouts:
        used = [disk for vdev in layout.vdevs for disk in vdev.disks]
        assert sorted(used) == sorted(disk.id for disk in disks)
        assert 0 < layout.capacity.usable_bytes < layout.capacity.raw_bytes
        one, two, three = layout.capacity.chances_of_surviving
        assert 100 >= one >= two >= three >= 0
        made_plan = plan(CreatePool(name="tank", vdevs=layout.vdevs), machine)
        report = {(f.code, f.message) for f in layout.capacity.findings}
        assert report <= {(f.code, f.message) for f in made_plan.findings}


@tries(20)
@given(st.integers(1, 23), st.sampled_from([3 * 10**9, 500 * 10**9, 20 * TB]))
def test_one_disk_more_never_offers_less(count: int, size: int) -> None:
    def best(disks: int) -> int:
        return max(layout.capacity.usable_bytes for layout in asked(disks_of([size] * disks)).layouts)

    def wide(disks: int, name: str) -> int:
        found = {one.key: one for one in asked(disks_of([size] * disks)).layouts}
        return found[f"{name}:1"].capacity.usable_bytes if f"{name}:1" in found else 0

    assert best(count + 1) >= best(count)
    for name in ("raidz1", "raidz2", "raidz3"):
        # Padding of wide RAIDZ may eat a disk, never more. Those of more than 24 disks are split.
        assert count > 22 or wide(count + 2, name) >= wide(count, name)


def test_a_mirror_is_dealt_disks_of_one_size_and_the_spare_is_the_largest() -> None:
    disks = disks_of([4 * TB, 8 * TB, 4 * TB, 8 * TB, 16 * TB])
    (found,) = [layout for layout in asked(disks).layouts if layout.key == "mirror:2+1"]
    assert [tuple(made_of[-1] for made_of in vdev.disks) for vdev in found.vdevs] == [
        ("1", "3"),
        ("2", "4"),
        ("5",),
    ]
    assert not any(finding.code == "mixed-sizes" for finding in found.capacity.findings)


def test_disks_of_different_sizes_are_better_mirrored() -> None:
    answer = asked(disks_of([2 * TB, 2 * TB, 12 * TB, 12 * TB]), "media")
    assert recommended(answer).key == "mirror:2"


@pytest.mark.parametrize("count", [2, 3, 12, 24, 60])
def test_a_key_stands_for_its_arrangement(count: int) -> None:
    assert all(from_key(one.key) == one for one in arrangements(count))


@pytest.mark.parametrize(
    "key",
    ["", "raidz2", "raidz9:1", "raidz2:0", "raidz2:-1", "raidz2:999", "x:" * 5000, "draid2:1", "draid2:4d:1",
     "raidz2:1+x", "raidz2:1+999", "mirror:²"],
)  # fmt: skip
def test_a_foreign_key_stands_for_nothing(key: str) -> None:
    assert from_key(key) is None


def test_disks_are_dealt_in_order_and_a_remainder_goes_to_the_last() -> None:
    deal = Arrangement(layout="raidz1", vdevs=2, spares=1).deal("abcdefgh", {})
    assert (deal.groups, deal.spares) == ((("a", "b", "c"), ("d", "e", "f", "g")), ("h",))
    assert Arrangement(layout="mirror", vdevs=3).deal("ab", {}).groups == (("a",), ("b",))
    assert Arrangement(layout="stripe", spares=1).deal("", {}).spares == ()


@pytest.mark.parametrize(
    ("count", "widths"),
    [(0, []), (1, [1]), (2, [2]), (3, [3]), (4, [2, 2]), (5, [5]), (6, [2] * 3), (9, [3] * 3)],
)
def test_disks_for_metadata_become_mirrors(count: int, widths: list[int]) -> None:
    assert [len(group) for group in mirrors_of("abcdefghi"[:count])] == widths


def test_what_is_true_of_all_layouts_is_said_once() -> None:
    answer = asked(disks_of([4 * TB] * 6))
    assert [finding.code for finding in answer.findings] == ["one-batch"]
    assert all(
        finding.code != "one-batch" for layout in answer.layouts for finding in layout.capacity.findings
    )


def test_a_weak_special_vdev_counts_in_every_layout() -> None:
    disks = disks_of([4 * TB] * 7)
    request = AskAdvice(
        disks=tuple(disk.id for disk in disks[:6]),
        beside=(NewVdev(role="special", layout="stripe", disks=(disks[6].id,)),),
    )
    answer = advise(request, made.inventory(*disks))
    assert {layout.capacity.survives for layout in answer.layouts} == {0}


def test_every_fault_names_its_field() -> None:
    disks = disks_of([4 * TB] * 3)
    request = AskAdvice(
        disks=(disks[0].id, disks[0].id, "x"),
        ashift=9,
        beside=(
            NewVdev(role="special", layout="raidz1", disks=(disks[1].id, "y")),
            NewVdev(role="data", layout="mirror", disks=(disks[2].id, disks[1].id)),
        ),
    )
    with pytest.raises(Refused) as refused:
        advise(request, made.inventory(*disks))
    assert {finding.field for finding in refused.value.findings} == {
        "disks[1]", "disks[2]", "beside[0].disks[1]", "beside[0].layout", "beside[1].disks[1]",
        "beside[1].disks", "beside[1].role", "ashift",
    }  # fmt: skip


def test_disks_in_use_can_be_asked_about() -> None:
    inventory: Inventory = made.inventory(made.used(1, "md", "md member of md0"), made.disk(2))
    ids = tuple(disk.id for disk in inventory.disks)
    assert advise(AskAdvice(disks=ids), inventory).recommended == "mirror:1"
