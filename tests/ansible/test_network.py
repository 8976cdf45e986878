"""What takes a change of the network back, without the console."""

from __future__ import annotations

from pathlib import Path

from host.commands.network import CONFIRM_S, FOLDER, PENDING, PREFIX, ROLLBACK, TIMER, UNDONE
from tests.ansible.units import ROLES, settings

FILES = ROLES / "network" / "files"
UNITS = FILES / "units"
PROGRAM = "/usr/local/libexec/nasweb-network-rollback"


def test_the_timer_is_the_minute_that_the_console_shows() -> None:
    timer = settings(UNITS / TIMER)
    assert timer["OnActiveSec"] == [str(CONFIRM_S)]
    assert timer["AccuracySec"] == ["1s"]
    assert timer["Unit"] == [ROLLBACK]
    assert timer["RemainAfterElapse"] == ["no"]


def test_it_comes_before_the_network_at_each_start_where_a_mark_was_left() -> None:
    service = settings(UNITS / ROLLBACK)
    assert service["ExecStart"] == [PROGRAM]
    assert service["WantedBy"] == ["systemd-networkd.service"]
    assert "systemd-networkd.service" in service["Before"][0].split()
    assert f"|{PENDING}" in service["ConditionPathExists"]
    assert "DefaultDependencies" in service


def test_it_is_started_however_often_it_was_started_before() -> None:
    # systemd refuses the sixth start within ten seconds otherwise, and the change stays.
    for unit in (TIMER, ROLLBACK):
        assert settings(UNITS / unit)["StartLimitIntervalSec"] == ["0"]


def test_it_may_write_in_the_one_folder_and_reach_systemd() -> None:
    own = settings(UNITS / f"{ROLLBACK}.d" / "sandbox.conf")
    assert own["ReadWritePaths"] == [FOLDER]
    assert "NoExecPaths" not in own
    assert "PrivateNetwork" not in own  # an interface's number is asked for in the machine's own network
    assert "PrivateTmp" not in own  # it would wait for /tmp
    assert own["CapabilityBoundingSet"] == [""]


def test_the_program_knows_our_files_by_their_names() -> None:
    text = (FILES / "libexec" / Path(PROGRAM).name).read_text()
    for path in (FOLDER, Path(PENDING).name, Path(UNDONE).name, f"{PREFIX}*.network"):
        assert path in text


def test_a_change_is_taken_back_even_where_networkd_does_not_answer() -> None:
    text = (FILES / "libexec" / Path(PROGRAM).name).read_text()
    asked = [line.strip() for line in text.splitlines() if line.strip().startswith("networkctl ")]
    assert asked == [
        "networkctl reload || systemctl restart --no-block systemd-networkd.service || true",
        'networkctl reconfigure "$interface" || true',
    ]
