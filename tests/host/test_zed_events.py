"""Events that zed reports of pools: how our zedlet counts them, what it refuses, and how they are read."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from host.commands.pools.events import ZedEvents
from host.inventory import ZedEvent
from host.probe.pools.zed_events import parse_zed_events
from host.programs import zfs_event
from host.zed import CHANGES, EVENTS, FAULTS, MOST_LINES

CHECKSUM = {
    "ZEVENT_CLASS": "ereport.fs.zfs.checksum", "ZEVENT_SUBCLASS": "checksum", "ZEVENT_EID": "7",
    "ZEVENT_TIME_SECS": "1764000000", "ZEVENT_TIME_NSECS": "5", "ZEVENT_POOL": "my tank",
    "ZEVENT_POOL_GUID": "0xFEDCBA9876543210", "ZEVENT_VDEV_GUID": "0x0000000000000011",
    "ZEVENT_VDEV_STATE_STR": "ONLINE", "ZEVENT_VDEV_PATH": "/dev/disk/by-id/ata-WD_A-1-part1",
    "ZEVENT_ZIO_ERR": "52",
}  # fmt: skip


def came(up_s: float, **changes: str | None) -> dict[str, str]:
    """The columns of an event so long after the start; `changes` without ZEVENT_, None: not given."""
    said = CHECKSUM | {f"ZEVENT_{name.upper()}": value for name, value in changes.items()}
    given = {name: value for name, value in said.items() if value is not None}
    found = zfs_event.read(given, boot="abc-1", up_ms=int(up_s * 1000))
    assert found is not None
    return found


def counted(*events: dict[str, str]) -> tuple[ZedEvent, ...]:
    lines: list[str] = []
    for event in events:
        lines = zfs_event.counted(lines, event)
    return parse_zed_events("".join(f"{line}\n" for line in lines))


def test_an_event_is_kept_for_root_alone(tmp_path: Path) -> None:
    folder = tmp_path / "nasweb-zed"
    assert zfs_event.main(CHECKSUM, folder=str(folder)) == 0
    assert zfs_event.main(CHECKSUM | {"ZEVENT_EID": "8"}, folder=str(folder)) == 0
    (event,) = parse_zed_events((folder / "events").read_text())
    assert (event.name, event.count, event.moments, event.eid) == ("checksum", 2, 1, 7)
    assert (event.pool, event.pool_guid, event.vdev_guid) == ("my tank", str(0xFEDCBA9876543210), "17")
    assert (event.state, event.error, event.at_ns) == ("ONLINE", 52, 1_764_000_000_000_000_005)
    assert event.path == "/dev/disk/by-id/ata-WD_A-1-part1"
    assert folder.stat().st_mode & 0o777 == 0o700
    assert {path.name: path.stat().st_mode & 0o777 for path in folder.iterdir()} == {
        "events": 0o600, "lock": 0o600,
    }  # fmt: skip
    assert ZedEvents().argv()[-1] == EVENTS


def test_a_thousand_errors_of_a_disk_are_one_line() -> None:
    found = counted(*(came(number * 0.05, eid=str(number)) for number in range(1000)))
    assert [(one.count, one.eid, round(one.span_s), one.moments) for one in found] == [(1000, 0, 50, 1)]


def test_what_is_not_the_same_has_its_own_line() -> None:
    found = counted(
        came(1), came(2, vdev_guid="0x12"), came(3, **{"class": f"{FAULTS}io"}),
        came(4, vdev_state_str="FAULTED"), came(5), came(904), came(2000),
    )  # fmt: skip
    assert [(one.count, one.moments) for one in found] == [(3, 2), (1, 1), (1, 1), (1, 1), (1, 1)]
    started = {"class": f"{CHANGES}scrub_start", "vdev_guid": None}
    twice = counted(came(1, **started), came(30, **started))
    assert [(one.count, one.vdev_guid) for one in twice] == [(1, None), (1, None)]


def test_the_longest_delay_is_kept() -> None:
    late = {"class": f"{FAULTS}delay"}
    (event,) = counted(
        came(1, **late, zio_delay="31000000000"), came(2, **late, zio_delay="42500000000"), came(3, **late)
    )
    assert (event.count, event.longest_s) == (3, 42.5)


def test_a_clock_that_is_set_back_changes_no_span_and_no_identity() -> None:
    before, after = came(100, eid="5"), came(160, eid="6", time_secs=str(1764000000 - 86_400))
    (first,), (whole,) = counted(before), counted(before, after)
    assert (whole.id, whole.count, whole.span_s) == (first.id, 2, 60.0)


def test_many_lines_keep_what_was_heard_last() -> None:
    alive = came(1, vdev_guid="0xAA")
    others = [came(2 + number, vdev_guid=hex(1000 + number)) for number in range(MOST_LINES)]
    found = counted(alive, *others[:-1], alive | {"last_up_ms": "3000", "up_ms": "3000"}, others[-1])
    assert len(found) == MOST_LINES
    assert (found[0].vdev_guid, found[0].count) == (str(0xAA), 2)  # the one that came most rarely went
    assert found[-1].vdev_guid == str(1000 + MOST_LINES - 1)


@pytest.mark.parametrize(
    "changes",
    [
        {"class": None}, {"class": "checksum"}, {"class": "ereport.fs.zfs.Check"}, {"class": f"{FAULTS}a\tb"},
        {"class": f"{FAULTS}{'x' * 60}"}, {"eid": None}, {"eid": "-1"}, {"eid": "9" * 19}, {"eid": "1\n2"},
        {"eid": "²"},
    ],
)  # fmt: skip
def test_what_is_no_event_of_zfs_is_not_kept(
    changes: dict[str, str | None], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said: dict[str, Any] = CHECKSUM | {f"ZEVENT_{name.upper()}": value for name, value in changes.items()}
    given = {name: value for name, value in said.items() if value is not None}
    assert zfs_event.main(given, folder=str(tmp_path / "none")) == 2
    assert not (tmp_path / "none").exists()
    assert "not kept" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("pool", ("", "1tank", "tank\tx", "tank\n", "../tank", "tänk", "t" * 256)),
        ("pool_guid", ("12", "0x", "0x0", "0x" + "F" * 17, "0xG", "0x1\n")),
        ("vdev_guid", ("<NULL>", "0x-1")),
        ("vdev_path", ("/etc/passwd", "/dev/sda\n", "/dev/$(reboot)", "/dev/" + "a" * 300)),
        ("vdev_state_str", ("online", "A\tB", "X" * 17)),
        ("zio_err", ("-5", "10000", "5 ")),
    ],
)
def test_an_odd_value_is_left_out(name: str, values: tuple[str, ...]) -> None:
    column = {"vdev_path": "path", "vdev_state_str": "state", "zio_err": "error"}.get(name, name)
    assert [came(1, **{name: value})[column] for value in values] == ["-"] * len(values)


def test_times_that_no_clock_shows_are_left_out() -> None:
    assert came(1, time_secs="99999999999999")["at_ns"] == "5"
    assert came(1, time_secs="x", time_nsecs="x")["at_ns"] == "0"


def test_lines_of_others_are_left_out() -> None:
    (line,) = zfs_event.counted([], came(1))
    cut, odd, other = line[10:], line.replace("\t7\t", "\tseven\t"), line.replace("ereport.fs.zfs.", "x.")
    assert [one.eid for one in parse_zed_events(f"{cut}\n{odd}\n{other}\n{line}\n\n")] == [7]
    assert zfs_event.counted([cut, odd, "\t" * 17], came(2, eid="9"))[0].split("\t")[1] == "9"


def test_a_link_in_the_place_of_a_file_is_not_followed(tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.write_text("")
    for name in ("new", "events"):
        folder = tmp_path / name
        folder.mkdir()
        (folder / name).symlink_to(other)
        with pytest.raises(OSError, match="symbolic links"):
            zfs_event.main(CHECKSUM, folder=str(folder))
    assert other.read_text() == ""
