"""How units of our own begin (`host.commands.starting`)."""

from __future__ import annotations

from pathlib import Path

import pytest

from host import commands
from host.commands.base import Command
from host.commands.datasets.measuring import ScanFiles
from host.commands.files import HandOutFile, RestoreFile
from host.commands.network_speed import ListenForSpeedTests
from host.commands.shares.sharing import ShareAnswers
from host.commands.starting import AT_ONCE_S, START_S
from host.commands.system.converting import StartConverting
from host.commands.units import StartBlink, StartBurnIn
from host.commands.uploads import ReceiveFiles

RUN, TICKET, LINK = "0" * 16, "0" * 32, "/dev/disk/by-id/ata-WDC_WD30EFRX-1"
GO_ON: tuple[Command, ...] = (
    StartBlink(disk=LINK, serial="WD-1", seconds=60),
    StartBurnIn(disk=LINK, serial="WD-1"),
    StartConverting(disk=LINK),
    ScanFiles(run=RUN, dataset="tank", tag="one"),
    ListenForSpeedTests(run=RUN, port=5201),
    RestoreFile(restore=RUN, dataset="tank", tag="one", path="a", folder="", name="a"),
)
AT_ONCE: tuple[Command, ...] = (
    HandOutFile(ticket=TICKET, dataset="tank", path="a"),
    ReceiveFiles(ticket=TICKET, dataset="tank", person="anna"),
)


def given(command: Command, option: str) -> str:
    (found,) = (one for one in command.argv() if one.startswith(f"{option}="))
    return found.removeprefix(f"{option}=")


@pytest.mark.parametrize("command", GO_ON + AT_ONCE, ids=lambda one: type(one).__name__)
def test_systemd_gives_a_start_up_before_its_command_ends_and_says_so(command: Command) -> None:
    limits = [
        one.removeprefix("--property=TimeoutStartSec=") for one in command.argv() if "TimeoutStart" in one
    ]
    assert [int(one) for one in limits] == [command.timeout_s - 20]
    assert "--quiet" not in command.argv()  # with it systemd-run does not say that the time was over


def test_what_goes_on_by_itself_has_minutes_to_begin_and_what_is_waited_for_has_less() -> None:
    assert {one.timeout_s for one in GO_ON} == {START_S} == {300.0}
    assert {one.timeout_s for one in AT_ONCE} == {AT_ONCE_S} == {120.0}


def test_names_that_look_like_variables_are_given_as_they_are() -> None:
    command = HandOutFile(ticket=TICKET, dataset="tank", path="5$$/${PATH}")
    assert given(command, "--path") == "5$$/${PATH}"
    assert given(command, "--expand-environment") == "no"


def test_others_start_units_with_fixed_words_alone() -> None:
    # A share's name is given as it is, too. What the rest give is in no field of a command that is text.
    assert given(ShareAnswers(name="5$$"), "--expand-environment") == "no"
    folder = Path(*commands.__path__)
    starts = {
        str(one.relative_to(folder)) for one in folder.rglob("*.py") if '"systemd-run"' in one.read_text()
    }
    assert starts == {
        "starting.py", "copies.py", "shares/sharing.py", "system/moved_state.py", "system/power.py",
    }  # fmt: skip
