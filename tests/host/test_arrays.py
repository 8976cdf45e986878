"""md arrays as sysfs describes them, in the forms that the simulator does not take by itself."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from host.commands.datasets.mounting import mount_unit
from host.commands.disks.md import SYSFS, MdCreate, MdState, array_link
from host.inventory import Disk
from host.probe.disks.arrays import parse_arrays
from host.probe.disks.disks import parse_disk_links
from host.probe.whole import probe
from host.simulated import SimulatedHost

_UUID = "3b56a844:7ebe6c17:64484b23:01aa8fd7"
_LINKS = f"/dev/disk/by-id/md-name-nas:0\t../../md0\n/dev/disk/by-id/md-uuid-{_UUID}\t../../md0\n"


def _sysfs(kname: str, **files: str) -> str:
    usual = {"md/array_state": "clean", "md/level": "raid1", "md/raid_disks": "2", "size": "2048"}
    both = usual | {name.replace("__", "/"): value for name, value in files.items()}
    return "".join(f"{SYSFS}/{kname}/{name}\0{value}\n" for name, value in both.items())


def _parse(text: str, links: str = "", devices: list[dict[str, Any]] | None = None) -> Any:
    disks: tuple[Disk, ...] = ()
    return parse_arrays(text, devices or [], parse_disk_links(links), disks)


def test_a_recovery_is_reported_in_percent_and_seconds() -> None:
    (array,) = _parse(
        _sysfs("md0", md__sync_action="recover", md__sync_completed="500 / 2000", md__sync_speed="100"),
        _LINKS,
    )
    assert (array.name, array.uuid, array.path) == ("0", _UUID, "/dev/disk/by-id/md-name-nas:0")
    work = array.work
    assert (work.kind, work.percent, work.speed_bytes_s, work.paused) == ("recovery", 25.0, 102_400, False)
    assert work.remaining_s == 1500 * 512 / 102_400


def test_work_that_waits_for_another_array_has_no_percentage() -> None:
    (array,) = _parse(_sysfs("md0", md__sync_action="resync", md__sync_completed="delayed"))
    assert (array.work.percent, array.work.paused) == (None, True)


@pytest.mark.parametrize("action", ["idle", "frozen"])
def test_idle_is_no_work(action: str) -> None:
    (array,) = _parse(_sysfs("md0", md__sync_action=action, md__sync_completed="none"))
    assert array.work is None


def test_an_array_being_reshaped_says_both_numbers() -> None:
    (array,) = _parse(_sysfs("md0", md__raid_disks="4 (3)"))
    assert array.wanted == 4


def test_members_by_their_words() -> None:
    states = {
        "dev-sda1": ("0", "in_sync,write_mostly"), "dev-sdb1": ("1", "spare"),
        "dev-sdc1": ("none", "faulty"), "dev-sdd1": ("none", "spare"), "dev-cciss!c0d0": ("2", "blocked"),
    }  # fmt: skip
    text = _sysfs("md0")
    for name, (slot, state) in states.items():
        text += f"{SYSFS}/md0/md/{name}/slot\0{slot}\n{SYSFS}/md0/md/{name}/state\0{state}\n"
    (array,) = _parse(text)
    assert [(one.path, one.slot, one.state) for one in array.members] == [
        ("/dev/sda1", 0, "in sync"), ("/dev/sdb1", 1, "rebuilding"), ("/dev/cciss/c0d0", 2, "unknown"),
        ("/dev/sdc1", None, "faulty"), ("/dev/sdd1", None, "spare"),
    ]  # fmt: skip
    assert array.degraded


def test_two_arrays_of_one_name_are_named_as_by_the_kernel() -> None:
    links = f"{_LINKS}/dev/disk/by-id/md-name-old:0\t../../md127\n"
    text = _sysfs("md0") + _sysfs("md127")
    assert [array.name for array in _parse(text, links)] == ["md0", "md127"]


def test_a_name_that_nothing_is_behind_is_no_array() -> None:
    assert _parse(_sysfs("md9", md__array_state="clear")) == ()
    assert _parse(f"{SYSFS}/loop0/size\0" + "0\n") == ()


def test_an_array_that_does_not_run_has_no_link_and_no_level(tmp_path: Path) -> None:
    host = SimulatedHost(tmp_path / "machine.json", "home")
    before = probe(host).array("0")
    host.halt_array("0")
    after = probe(host).array("0")
    assert before is not None and after is not None
    assert (after.state, after.level, after.path) == ("inactive", "unknown", "/dev/md0")
    assert after.uuid == before.uuid
    assert len(after.members) == 2


def test_a_pulled_disk_leaves_its_array_and_is_no_member_when_it_comes_back(tmp_path: Path) -> None:
    host = SimulatedHost(tmp_path / "machine.json", "home")
    stick = probe(host).arrays[0].members[1].disk
    assert stick is not None
    host.pull(stick)
    (left,) = probe(host).arrays[0].members
    assert left.slot == 0 and probe(host).arrays[0].degraded
    host.insert(stick)
    assert len(probe(host).arrays[0].members) == 1


def test_no_disk_is_asked() -> None:
    argv = MdState().argv()
    assert argv[0] == "grep" and argv[-1] == SYSFS and not any(word.startswith("/dev/") for word in argv)


def test_an_array_keeps_its_name_on_any_host() -> None:
    made = MdCreate(name="backup", level=1, members=("/dev/disk/by-id/ata-a-part1", "/dev/disk/by-id/ata-b"))
    assert made.argv()[:5] == ("mdadm", "--create", "/dev/md/backup", "--run", "--metadata=1.2")
    assert "--homehost=any" in made.argv()
    assert array_link("backup") == "/dev/disk/by-id/md-name-any:backup"


@pytest.mark.parametrize(
    ("folder", "unit"),
    [
        ("/mnt/backup", "mnt-backup.mount"),
        ("/mnt/my-files", "mnt-my\\x2dfiles.mount"),
        ("/srv/a_1.b", "srv-a_1.b.mount"),
    ],
)
def test_units_are_named_as_systemd_wants(folder: str, unit: str) -> None:
    assert mount_unit(folder) == unit
