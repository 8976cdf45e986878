"""The drawing of the case."""

from __future__ import annotations

import pytest
from msgspec import structs

from frontend.bays.chassis_view import draw, draw_to_pick
from frontend.bays.vdevs import chips, shape
from frontend.bays.view import heat, short_model, why_not
from tests import made
from tests.frontend import machines


def test_a_free_disk_says_where_it_is_and_that_it_is_free() -> None:
    bay = draw(machines.machine([made.disk(1)])).bays[0]
    assert bay.says == "Bay A1: WDC WD30EFRX, 2.73 TiB, serial WD-0001, free, bay guessed"
    assert (bay.word, bay.classes, bay.free, bay.why_not) == ("free", "s-idle guessed", True, None)


def test_a_member_of_a_pool_has_the_hue_of_its_vdev() -> None:
    bays = draw(machines.tank(width=3, vdevs=2, layout="raidz1")).bays[:6]
    assert [bay.classes.split()[1] for bay in bays] == ["v0", "v0", "v0", "v1", "v1", "v1"]
    assert [bay.use for bay in bays[2:4]] == ["tank · raidz1-0", "tank · raidz1-1"]
    assert len({bay.vdev for bay in bays}) == 2


def test_the_legend_and_the_bays_agree_on_hues() -> None:
    machine = machines.tank(width=2, vdevs=10, layout="mirror")
    legend = {chip.key: chip.hue for chip in chips(machine)["tank"]}
    for bay in draw(machine).bays[:20]:
        assert f"v{legend[bay.vdev]}" in bay.classes.split()


def test_errors_on_a_disk_that_is_online_show() -> None:
    warned = [bay for bay in draw(machines.degraded()).bays if "s-warn" in bay.classes]
    assert [bay.word for bay in warned] == ["online, with errors"]


def test_a_boot_drive_stands_apart_and_cannot_be_picked() -> None:
    disks, system = draw(machines.tank()).groups
    assert [bay.label for bay in system.rows[0]] == ["U1", "U2"]
    assert system.few
    assert system.rows[0][0].why_not == "the running system (/)"
    assert not disks.few


def test_a_disk_in_no_bay_is_offered_beside_them_and_one_without_a_lasting_name_says_so() -> None:
    usual = made.disk(1, port=None, bay=None)
    nameless = made.disk(2, port=None, bay=None, id="vda", links=(), serial=None)
    used = structs.replace(made.used(3, "filesystem", "the running system"), port=None, bay=None)
    case = machines.placed([made.disk(4)])
    offered = (
        draw_to_pick(structs.replace(case, disks=(*case.disks, usual, nameless, used))).groups[-1].rows[0]
    )
    assert [(bay.disk_id, bay.why_not) for bay in offered] == [
        (usual.id, None),
        ("vda", "no lasting name"),
    ]
    assert [bay.says.partition(", 2.7")[0] for bay in offered] == [
        "Not mapped to a bay, serial WD-0001: WDC WD30EFRX",
        "Not mapped to a bay, serial unknown: WDC WD30EFRX",
    ]


def test_a_disk_that_holds_data_nobody_uses_can_be_picked() -> None:
    disk = made.with_file_system(1)
    assert why_not(disk) is None
    assert draw(machines.machine([disk])).bays[0].word == "holds data"


@pytest.mark.parametrize(
    ("count", "form", "rows", "columns"),
    [
        (2, "upright", 1, 2),
        (6, "upright", 1, 6),
        (24, "flat", 6, 4),
        (90, "dense", 6, 17),
        (102, "dense", 6, 17),
    ],
)
def test_rows_and_columns_are_true_from_2_to_102_bays(count: int, form: str, rows: int, columns: int) -> None:
    group = draw(machines.machine([made.disk(number) for number in range(1, count + 1)])).groups[0]
    assert group.form == form
    assert [len(row) for row in group.rows] == [columns] * rows


def test_bays_without_a_disk_are_drawn_empty() -> None:
    bays = draw(machines.machine([made.disk(number) for number in range(1, 8)])).groups[0].rows[-1]
    assert [bay.word for bay in bays] == ["free", "free", "free", "empty"]
    assert bays[3].disk_id is None


def test_heat_has_eight_steps_of_four_degrees() -> None:
    assert [heat(celsius) for celsius in (5, 23, 24, 27, 28, 47, 48, 70)] == [0, 0, 1, 1, 2, 6, 7, 7]


def test_the_warmest_disk_is_told_where_any_is_known() -> None:
    assert draw(machines.tank()).warmest == 32
    assert draw(machines.machine([made.disk(1)])).warmest is None


@pytest.mark.parametrize(
    ("model", "short"),
    [
        ("WDC WD30EFRX-68EUZN0", "WD30EFRX"),
        ("HGST HDS724040ALE640", "HDS724040ALE640"),
        ("Cruzer Fit", "Cruzer Fit"),
    ],
)
def test_the_short_model_leaves_maker_and_revision_out(model: str, short: str) -> None:
    assert short_model(model) == short


def test_a_pool_is_told_by_its_shape() -> None:
    assert shape(machines.tank().pools[0]) == "raidz2 of 6"
    assert shape(machines.tank(width=2, vdevs=4, layout="mirror").pools[0]) == "4 × mirror of 2"
    spare = machines.leaf(made.disk(9), role="spare", state="AVAIL")
    both = (*machines.tank(width=3).pools[0].vdevs, spare)
    assert shape(made.pool(vdevs=both)) == "raidz2 of 3, 1 spare"
    assert shape(made.pool()) == "1 single disk"
