"""machine.set-arc, by comparing values; what root's helper holds again; and the way there and back."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from rest_framework.test import APIClient

from host.commands import closed
from host.commands.system.arc import (
    CheckArcBound,
    PlaceArcBounds,
    RemoveArcBounds,
    SetArcBound,
    StageArcBounds,
)
from host.contents import arc
from host.inventory import ArcBounds, ArcLimit, Inventory
from host.simulated import SimulatedHost
from jobs.plan import Refused
from machine.arc.set_arc import SetArc, plan
from tests.conftest import refresh
from tests.machine.cases import machine

MIB, GIB = 1 << 20, 1 << 30
SETTING = "/api/v1/system/settings/arc/"
OF_8 = ArcBounds(max_bytes=7 * GIB, min_bytes=256 * MIB)  # as ZFS decides with 8 GiB


def nas(now: ArcLimit | None = None, *, memory: int = 8 * GIB) -> Inventory:
    plain = machine()
    facts = msgspec.structs.replace(plain.facts, memory_bytes=memory)
    return msgspec.structs.replace(plain, facts=facts, arc=now or ArcLimit(live=OF_8))


def refused(now: ArcLimit | None = None, *, memory: int = 8 * GIB, **request: Any) -> list[tuple[str, str]]:
    with pytest.raises(Refused) as error:
        plan(SetArc(**request), nas(now, memory=memory))
    return [(one.code, one.field) for one in error.value.findings if one.level == "error"]


def test_a_limit_is_kept_used_and_checked_and_the_undo_is_what_was() -> None:
    keep, use = plan(SetArc(max_bytes=4 * GIB), nas()).steps
    assert keep.commands == (StageArcBounds(max_bytes=4 * GIB), PlaceArcBounds())
    assert keep.undo == (RemoveArcBounds(),)
    assert use.commands == (
        SetArcBound(bound="min", size_bytes=256 * MIB), CheckArcBound(bound="min", size_bytes=256 * MIB),
        SetArcBound(bound="min", size_bytes=0),
        SetArcBound(bound="max", size_bytes=4 * GIB), CheckArcBound(bound="max", size_bytes=4 * GIB),
    )  # fmt: skip
    assert use.undo[3:] == (
        SetArcBound(bound="max", size_bytes=7 * GIB), CheckArcBound(bound="max", size_bytes=7 * GIB),
        SetArcBound(bound="max", size_bytes=0),
    )  # fmt: skip


def test_bounds_above_the_maximum_of_now_are_set_from_above() -> None:
    now = ArcLimit(
        live=ArcBounds(max_bytes=GIB, min_bytes=64 * MIB),
        kept=ArcBounds(max_bytes=GIB, min_bytes=64 * MIB),
    )
    (_, use) = plan(SetArc(max_bytes=6 * GIB, min_bytes=2 * GIB), nas(now)).steps
    assert [one.bound for one in use.commands if isinstance(one, SetArcBound)] == ["max", "min"]
    assert [one.bound for one in use.undo if isinstance(one, SetArcBound)] == ["min", "max"]


def test_a_maximum_below_zfs_own_minimum_brings_a_lower_one() -> None:
    large = ArcLimit(live=ArcBounds(max_bytes=63 * GIB, min_bytes=2 * GIB))
    made = plan(SetArc(max_bytes=GIB), nas(large, memory=64 * GIB))
    assert made.steps[0].commands[0] == StageArcBounds(max_bytes=GIB, min_bytes=512 * MIB)
    assert [one.code for one in made.findings] == ["lower-minimum"]


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        ({"max_bytes": 64 * MIB - 1}, [("too-small", "max_bytes")]),
        ({"max_bytes": 0}, [("too-small", "max_bytes")]),
        ({"max_bytes": -1}, [("too-small", "max_bytes")]),
        ({"max_bytes": 7 * GIB + 1}, [("too-large", "max_bytes")]),
        ({"max_bytes": 1 << 70}, [("too-large", "max_bytes")]),
        ({"min_bytes": 32 * MIB - 1}, [("too-small", "min_bytes")]),
        ({"min_bytes": 7 * GIB}, [("not-below", "min_bytes")]),
        ({"max_bytes": GIB, "min_bytes": GIB}, [("not-below", "min_bytes")]),
        ({}, [("nothing-changes", "max_bytes")]),
    ],
)
def test_what_zfs_would_ignore_or_starves_the_rest_is_refused(
    wanted: dict[str, Any], expected: list[tuple[str, str]]
) -> None:
    assert refused(**wanted) == expected


def test_without_zfs_there_is_nothing_to_limit() -> None:
    assert refused(ArcLimit(), max_bytes=GIB) == [("no-zfs", "")]


def test_what_was_changed_by_hand_or_is_set_elsewhere_is_said() -> None:
    by_hand = ArcLimit(live=OF_8, altered=True, others=("/etc/modprobe.d/zfs.conf",))
    made = plan(SetArc(max_bytes=4 * GIB, min_bytes=5 * GIB // 2), nas(by_hand))
    assert [one.code for one in made.findings] == ["changed-by-hand", "set-elsewhere"]
    assert made.steps[0].undo == ()
    starving = plan(SetArc(min_bytes=5 * GIB), nas())
    assert [one.code for one in starving.findings] == ["large-minimum"]


def test_a_value_set_by_hand_until_the_next_start_is_taken_back() -> None:
    now = ArcLimit(live=msgspec.structs.replace(OF_8, max_bytes=GIB))
    keep, use = plan(SetArc(), nas(now)).steps
    assert keep.commands == (RemoveArcBounds(),)
    assert SetArcBound(bound="max", size_bytes=7 * GIB) in use.commands
    assert use.commands[-1] == SetArcBound(bound="max", size_bytes=0)


@pytest.mark.parametrize(
    "hostile",
    [
        {"type": "StageArcBounds"}, {"type": "StageArcBounds", "max_bytes": 1},
        {"type": "StageArcBounds", "max_bytes": GIB, "min_bytes": GIB},
        {"type": "StageArcBounds", "max_bytes": "1\noptions zfs zfs_recover=1"},
        {"type": "SetArcBound", "bound": "max", "size_bytes": 63 * MIB},
        {"type": "SetArcBound", "bound": "../../../../etc/passwd", "size_bytes": GIB},
        {"type": "SetArcBound", "bound": "max", "size_bytes": 1 << 60},
    ],
)  # fmt: skip
def test_the_helper_writes_nothing_else(hostile: dict[str, Any]) -> None:
    with pytest.raises(msgspec.ValidationError):
        closed.decode(msgspec.json.encode(hostile))


@pytest.mark.parametrize(
    "bounds",
    [ArcBounds(max_bytes=GIB), ArcBounds(min_bytes=GIB), ArcBounds(max_bytes=2 * GIB, min_bytes=GIB)],
)
def test_the_file_is_read_as_it_was_written(bounds: ArcBounds) -> None:
    text = arc.render(bounds)
    assert arc.read(text) == bounds
    assert arc.read(text + "options zfs zfs_recover=1\n") is None
    assert arc.read(text.replace(str(GIB), "99")) is None


def test_a_limit_holds_after_a_start_and_is_taken_back(api: APIClient, simulated: SimulatedHost) -> None:
    before = api.get(SETTING).json()
    assert (before["max_bytes"], before["live_max_bytes"]) == (None, before["default_max_bytes"])
    assert api.put(SETTING, {"max_bytes": 2 * GIB}, headers={"Prefer": "wait=10"}).status_code == 202
    simulated.restart_state()
    refresh()
    after = api.get(SETTING).json()
    assert (after["max_bytes"], after["live_max_bytes"]) == (2 * GIB, 2 * GIB)
    same = api.put(SETTING, {"max_bytes": 2 * GIB})
    assert [one["code"] for one in same.json()["findings"]] == ["nothing-changes"]
    assert api.put(SETTING, {}, headers={"Prefer": "wait=10"}).status_code == 202
    refresh()
    assert api.get(SETTING).json() | {"as_of": ""} == before | {"as_of": ""}
