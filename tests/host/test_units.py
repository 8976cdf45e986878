"""Work that outlives the worker: how it is started, listed, claimed, and how its report is read."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from host.base import Result, check
from host.commands.base import Command
from host.commands.closed import decode, encode
from host.commands.units import ListUnits, ReadBurnIn, StartBlink, StartBurnIn, StopUnit, unit_serial
from host.inventory import BurnIn, Unit
from host.probe.units import claim, parse_list_units, read_burn_in
from host.probe.whole import probe
from host.simulated import SimulatedHost

LINK = "/dev/disk/by-id/ata-WDC_WD30EFRX-68EUZN0_WD-1"
RUNNING = """[{"unit":"nasweb-disk-blink-WD-1.service","load":"loaded","active":"activating","sub":"start",
"description":"Nasweb blink of WD-1"},{"unit":"nasweb-disk-burn-in-WD-burn-in-2.service","load":"loaded",
"active":"deactivating","sub":"stop-sigterm","description":"…"},{"unit":"nasweb-disk-burn-in-3.service",
"load":"loaded","active":"failed","sub":"failed","description":"…"},{"unit":"nasweb-disk-blink-.service",
"load":"not-found","active":"inactive","sub":"dead","description":"…"}]
"""


class Scripted:
    """A host that answers each kind of command from its own list, the last answer for ever."""

    kind = "local"

    def __init__(self, *, reports: list[BurnIn | None], units: list[str]) -> None:
        self._reports, self._units = reports, units

    def run(self, command: Command) -> Result:
        if isinstance(command, ListUnits):
            return Result(exit=0, stdout=self._units.pop(0))
        assert isinstance(command, ReadBurnIn)
        burn_in = self._reports.pop(0)
        if burn_in is None:
            return check(command, Result(exit=1, stderr="cat: No such file or directory\n"))
        return Result(exit=0, stdout=msgspec.json.encode(burn_in).decode())


def reported(**changes: object) -> BurnIn:
    first = BurnIn(serial="WD-1", phase="write", percent=4.0, started_at="a", updated_at="b")
    return msgspec.structs.replace(first, **changes)


def burning(serial: str) -> str:
    return f'[{{"unit":"nasweb-disk-burn-in-{serial}.service","active":"active"}}]'


def test_a_blink_may_only_read_the_one_disk_and_has_an_end() -> None:
    words = StartBlink(disk=LINK, serial="WD-1", seconds=60).argv()
    assert words[:2] == ("systemd-run", "--unit=nasweb-disk-blink-WD-1.service")
    assert [word for word in words if word.startswith("--property=")][1:] == [
        "--property=DevicePolicy=closed", f"--property=DeviceAllow={LINK} r", "--property=RuntimeMaxSec=90",
    ]  # fmt: skip
    assert words[-6:] == (
        "/opt/nasweb/current/.venv/bin/python", "-m", "host.programs.blink",
        f"--disk={LINK}", "--serial=WD-1", "--seconds=60",
    )  # fmt: skip


def test_a_burn_in_gets_link_and_serial() -> None:
    words = StartBurnIn(disk=LINK, serial="WD-1").argv()
    assert words[-4:] == ("-m", "host.programs.burn_in", f"--disk={LINK}", "--serial=WD-1")
    assert f"--property=DeviceAllow={LINK} rw" in words
    # Both are needed for a start that was refused to be a failed command, and not to stand in the way later.
    assert {"--service-type=notify", "--collect"} <= set(words)


@pytest.mark.parametrize("serial", ["", "a b", "../x", "a/b", "x" * 81, "ü", "a\n", "%i", "a@b", "$HOME"])
def test_a_serial_that_cannot_name_a_unit_is_refused(serial: str) -> None:
    assert unit_serial(serial) is None
    for command in (
        StartBlink(disk=LINK, serial=serial, seconds=1),
        StartBurnIn(disk=LINK, serial=serial),
        StopUnit(kind="blink", serial=serial),
        ReadBurnIn(serial=serial),
    ):
        with pytest.raises(msgspec.ValidationError):
            decode(encode(command))


@pytest.mark.parametrize("seconds", [0, 601])
def test_a_blink_lasts_a_second_to_ten_minutes(seconds: int) -> None:
    with pytest.raises(msgspec.ValidationError):
        decode(encode(StartBlink(disk=LINK, serial="WD-1", seconds=seconds)))


def test_a_file_of_reports_is_never_outside_its_folder() -> None:
    assert ReadBurnIn(serial="..").argv() == ("cat", "/var/lib/nasweb-burn-in/...json")
    assert unit_serial(None) is None
    assert unit_serial("WD-WMC4N0D2J7PA") == "WD-WMC4N0D2J7PA"


def test_stopping_what_has_ended_is_no_failure() -> None:
    gone = Result(exit=5, stderr="Failed to stop nasweb-disk-blink-WD-1.service: Unit … not loaded.\n")
    command = StopUnit(kind="blink", serial="WD-1")
    assert check(command, gone) == gone
    assert command.argv() == ("systemctl", "stop", "nasweb-disk-blink-WD-1.service")


def test_units_are_told_apart_by_their_names() -> None:
    assert parse_list_units(RUNNING) == (
        Unit(kind="blink", serial="WD-1", state="running"),
        Unit(kind="burn-in", serial="WD-burn-in-2", state="running"),
        Unit(kind="burn-in", serial="3", state="failed"),
    )
    assert parse_list_units("[]\n") == ()


def test_only_a_burn_in_that_runs_claims_its_disk(tmp_path: Path) -> None:
    disks = probe(SimulatedHost(tmp_path / "machine.json", "home")).disks[:3]
    serials = [disk.serial or "" for disk in disks]
    units = (
        Unit(kind="burn-in", serial=serials[0], state="running"),
        Unit(kind="burn-in", serial=serials[1], state="failed"),
        Unit(kind="blink", serial=serials[2], state="running"),
    )
    assert [(disk.in_use, disk.used_by) for disk in claim(disks, units)] == [
        (True, "a burn-in that overwrites it"), (False, None), (False, None),
    ]  # fmt: skip


def test_a_disk_without_a_report_has_none() -> None:
    assert read_burn_in(Scripted(reports=[None], units=[]), "WD-1") is None
    assert read_burn_in(Scripted(reports=[], units=[]), "no such/serial") is None


def test_a_report_is_believed_while_its_unit_runs_or_once_it_has_a_verdict() -> None:
    assert read_burn_in(Scripted(reports=[reported()], units=[burning("WD-1")]), "WD-1") == reported()
    passed = reported(verdict="passed", phase="done")
    assert read_burn_in(Scripted(reports=[passed], units=[]), "WD-1") == passed


def test_a_burn_in_whose_unit_is_gone_was_stopped() -> None:
    host = Scripted(reports=[reported(), reported()], units=[burning("WD-2")])
    found = read_burn_in(host, "WD-1")
    assert found is not None
    assert (found.verdict, found.finished_at, found.percent) == ("stopped", "b", 4.0)
    assert "without a word" in found.words


def test_a_verdict_that_came_between_two_reads_is_not_lost() -> None:
    passed = reported(verdict="passed", phase="done")
    assert read_burn_in(Scripted(reports=[reported(), passed], units=["[]"]), "WD-1") == passed
    again = reported(started_at="c")
    assert read_burn_in(Scripted(reports=[reported(), again], units=["[]"]), "WD-1") == again
