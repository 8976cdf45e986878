"""What root refuses while the system is copied, how an order is read, and what a simulated restart leaves."""

from __future__ import annotations

from pathlib import Path

import pytest

from host import local, not_beside
from host.base import CommandFailed
from host.commands.datasets.snapshots import ZfsSnapshot
from host.commands.system.converting import UNIT
from host.commands.system.power import DELAY_S, PowerOffSoon, RestartSoon
from host.probe.system.power import parse_power_ordered, read_power_order
from host.probe.whole import probe
from host.simulated import SimulatedHost
from host.simulated.system.power import START_S


@pytest.mark.parametrize("command", [RestartSoon(), PowerOffSoon()])
def test_root_refuses_while_the_copy_of_the_system_runs(
    command: RestartSoon | PowerOffSoon, tmp_path: Path
) -> None:
    assert not_beside.refusal(command, services=tmp_path) is None
    (tmp_path / UNIT).mkdir()
    assert not_beside.refusal(command, services=tmp_path) == (
        f"{UNIT} runs and must not be cut off. Nothing was done.\n"
    )
    assert not_beside.refusal(ZfsSnapshot(names=("tank@a",)), services=tmp_path) is None


def test_nothing_is_started_where_it_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(not_beside, "refusal", lambda command: not_beside.refused(UNIT))
    with pytest.raises(CommandFailed, match="must not be cut off"):
        local.LocalHost().run(RestartSoon())


def test_both_are_timers_of_one_name_that_take_nothing_from_outside() -> None:
    assert RestartSoon().argv()[-2:] == ("systemctl", "reboot")
    assert PowerOffSoon().argv()[-2:] == ("systemctl", "poweroff")
    assert {one.argv()[1] for one in (RestartSoon(), PowerOffSoon())} == {"--unit=nasweb-power"}
    assert RestartSoon.__struct_fields__ == PowerOffSoon.__struct_fields__ == ()


@pytest.mark.parametrize(("active", "found"), [("active", "restart"), ("failed", None), ("inactive", None)])
def test_only_what_waits_or_runs_is_an_order(active: str, found: str | None) -> None:
    row = f'{{"unit": "nasweb-power.timer", "active": "{active}", "description": "%s"}}'
    assert parse_power_ordered(f"[{row % 'Nasweb: restart the machine'}]") == found
    assert parse_power_ordered(f"[{row % 'Somebody else'}]") is None


def test_a_simulated_machine_comes_back_with_another_start(tmp_path: Path) -> None:
    host = SimulatedHost(tmp_path / "machine.json", "home")
    before = probe(host)
    host.run(RestartSoon())
    host.pass_time(DELAY_S)
    assert read_power_order(host) == "restart"
    host.pass_time(START_S)
    assert read_power_order(host) is None
    after = probe(host)
    assert after.facts.booted >= before.facts.booted + DELAY_S + START_S
    assert after.naming.boot != before.naming.boot != ""


def test_a_simulated_restart_takes_the_kernel_that_was_installed(tmp_path: Path) -> None:
    host = SimulatedHost(tmp_path / "machine.json", "home")
    before = host.machine().kernel
    host.install_kernel("6.12.99")
    host.run(RestartSoon())
    host.pass_time(DELAY_S + START_S)
    assert (host.machine().kernel, host.machine().kernels) == ("6.12.99", {before: True})


def test_a_simulated_machine_that_is_shut_down_says_that_it_stays_on(tmp_path: Path) -> None:
    host = SimulatedHost(tmp_path / "machine.json", "home")
    before = host.machine().booted
    assert "simulated: it stays on" in host.run(PowerOffSoon()).stderr
    host.pass_time(DELAY_S + START_S)
    assert read_power_order(host) is None
    assert host.machine().booted == before
