"""Events of mdadm's monitor: how its program stores them, what it refuses, and how they are read."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from host.commands.disks.md import MdEvents
from host.monitoring import EVENTS
from host.probe.disks.md_events import parse_md_events
from host.programs import md_event

UUID = "3b56a844:7ebe6c17:64484b23:01aa8fd7"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "nasweb-md" / "events"


def hand_over(file: Path, *arguments: str) -> int:
    return md_event.main(arguments, events=file, sysfs=file.parents[1] / "sys")


def test_an_event_is_kept_for_root_alone(file: Path) -> None:
    uuid = file.parents[1] / "sys" / "md127" / "md" / "uuid"
    uuid.parent.mkdir(parents=True)
    uuid.write_text("3b56a844-7ebe-6c17-6448-4b2301aa8fd7\n")
    assert hand_over(file, "Fail", "/dev/md127", "/dev/sdc3") == 0
    (event,) = parse_md_events(file.read_text())
    assert (event.event, event.array, event.uuid, event.device) == ("Fail", "md127", UUID, "/dev/sdc3")
    assert event.at_ns > 1_700_000_000_000_000_000
    assert (file.stat().st_mode & 0o777, file.parent.stat().st_mode & 0o777) == (0o600, 0o700)


def test_words_of_mdadm_become_values(file: Path) -> None:
    hand_over(file, "RebuildStarted", "/dev/md/root")
    hand_over(file, "Rebuild40", "/dev/md127")
    hand_over(file, "RebuildFinished", "/dev/md127", " mismatches found: 128 (on raid level 1)")
    hand_over(file, "DeviceDisappeared", "/dev/md127", " Wrong-Level")
    found = parse_md_events(file.read_text())
    assert [(one.event, one.array, one.percent, one.mismatches, one.device) for one in found] == [
        ("RebuildStarted", "root", None, None, None),
        ("Rebuild", "md127", 40, None, None),
        ("RebuildFinished", "md127", None, 128, None),
        ("DeviceDisappeared", "md127", None, None, None),
    ]
    assert sorted({one.at_ns for one in found}) == [one.at_ns for one in found]


@pytest.mark.parametrize(
    "arguments",
    [
        (), ("Fail",), ("Fail", "/dev/md127", "/dev/sda1", "more"), ("Failed", "/dev/md127"),
        ("Rebuild100", "/dev/md127"), ("Fail\n", "/dev/md127"), ("Fail", "md127"), ("Fail", "/etc/passwd"),
        ("Fail", "/dev/md/../../etc/passwd"), ("Fail", "/dev/md127\n"), ("Fail", "/dev/" + "m" * 300),
    ],
)  # fmt: skip
def test_what_is_no_event_of_mdadm_is_not_kept(
    file: Path, arguments: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    assert hand_over(file, *arguments) == 2
    assert not file.exists()
    assert "not kept" in capsys.readouterr().err


@pytest.mark.parametrize("detail", ["", "/dev/sda1\nFail", "x" * 300, "\x1b[2J", "ü"])
def test_an_odd_detail_is_left_out(file: Path, detail: str) -> None:
    assert hand_over(file, "Fail", "/dev/md127", detail) == 0
    assert json.loads(file.read_text())["detail"] is None


def test_a_long_file_keeps_its_newer_half(file: Path) -> None:
    for number in range(1200):
        md_event.keep(json.dumps({"at_ns": number, "event": "Fail", "array": "md127", "pad": "x" * 40}), file)
    found = parse_md_events(file.read_text())
    assert file.stat().st_size < 70_000
    assert found[-1].at_ns == 1199
    assert [one.at_ns for one in found] == list(range(found[0].at_ns, 1200))


def test_a_link_in_the_place_of_the_file_is_not_followed(file: Path) -> None:
    file.parent.mkdir()
    other = file.parents[1] / "other"
    other.write_text("")
    file.symlink_to(other)
    with pytest.raises(OSError, match="symbolic links"):
        hand_over(file, "Fail", "/dev/md127")
    assert other.read_text() == ""


def test_lines_that_were_cut_are_left_out() -> None:
    whole = '{"at_ns": 2, "event": "NewArray", "array": "md0"}'
    assert [one.at_ns for one in parse_md_events(f'ay": "md0"}}\n{whole}\n{{"at_ns": 3\n')] == [2]


def test_the_helper_reads_what_the_program_keeps() -> None:
    assert MdEvents().argv()[-1] == str(EVENTS)
