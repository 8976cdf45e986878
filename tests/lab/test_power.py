"""The machine turns itself off when it is asked to, and an order that is taken back does nothing.

That it restarts, with its pools, is part of the main drill (`test_drill`).
"""

from __future__ import annotations

import pytest

from tests.lab.console import Console
from tests.lab.machine import Machine

pytestmark = pytest.mark.drill
TIMER = "nasweb-power.timer"
UP = "curl -fks https://127.0.0.1/accounts/login/ > /dev/null"


def test_a_dry_run_orders_nothing(machine: Machine, console: Console) -> None:
    console.fresh()
    plan = console.ask("POST", "system/shut-down/?dry_run=true")
    assert plan.status == 200, plan
    assert [step["commands"][0][-2:] for step in plan.body["steps"]] == [["systemctl", "poweroff"]]
    assert machine.run(f"systemctl is-active {TIMER}", check=False).stdout.strip() == "inactive"


def test_an_order_that_is_taken_back_does_nothing(machine: Machine, console: Console) -> None:
    start = machine.shell.boot_id()
    # Within the machine: on busy cores a command from outside may come after the ten seconds.
    wait = f"until systemctl is-active --quiet {TIMER}; do sleep 0.2; done"
    machine.run(["systemd-run", "--unit=lab-cancel", "sh", "-c", f"{wait}; systemctl stop {TIMER}"])
    console.do("POST", "system/restart/")
    machine.wait_until("! systemctl is-active --quiet lab-cancel")
    # A plan is refused while something is ordered: nothing is any more.
    plan = console.ask("POST", "system/restart/?dry_run=true")
    assert plan.status == 200, plan
    assert machine.shell.boot_id() == start
    assert machine.run("systemctl is-active nasweb-power.service", check=False).stdout.strip() == "inactive"


def test_the_machine_turns_itself_off_and_comes_back_with_its_record(
    machine: Machine, console: Console
) -> None:
    start = machine.shell.boot_id()
    job = console.do("POST", "system/shut-down/")
    machine.wait_until_off()
    assert not machine.is_on
    machine.boot()
    machine.wait_until(UP, timeout_s=180)
    assert machine.shell.boot_id() not in {"", start}
    assert console.get(f"jobs/{job['id']}/")["state"] == "succeeded"
    # Nothing of the order is left: the machine stays on, and says so.
    assert machine.run(f"systemctl is-active {TIMER}", check=False).stdout.strip() == "inactive"
    console.fresh()
    assert console.get("system/")["uptime_seconds"] < 3600
