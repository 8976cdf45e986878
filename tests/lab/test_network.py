"""A change of the network that cuts its owner off takes itself back; one that is kept stays.

The host reaches the machine at 10.0.2.15 alone, so any other address cuts everybody off for real.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import pytest

from tests.lab.builder import build_image, built_release
from tests.lab.console import Console
from tests.lab.machine import Machine
from tests.lab.new_machine import failed_units, refresh_inventory, wait_until_up
from tests.lab.pool_life import until

pytestmark = pytest.mark.drill
ADDRESS, ROUTER, DNS = "10.0.2.15", "10.0.2.2", "10.0.2.3"
CONFIRM_S = 60
_MARK = "/etc/systemd/network/nasweb.pending"


class Wire:
    """A machine whose one interface is set up."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.console = Console(machine)
        refresh_inventory(self.console)

    def network(self) -> dict[str, Any]:
        """As it is now."""
        refresh_inventory(self.console)
        found: dict[str, Any] = self.console.get("network/")
        return found

    def interface(self) -> dict[str, Any]:
        """The one with a cable."""
        (found,) = [one for one in self.network()["interfaces"] if one["why_not"] is None and one["carrier"]]
        return dict(found)

    def fixed(self) -> list[str]:
        """Its fixed addresses."""
        return [one["address"] for one in self.interface()["addresses"] if one["origin"] == "fixed"]

    def set(self, address: str) -> int:
        """Give it a fixed address; the number of the job that does so."""
        ipv4 = {"method": "fixed", "addresses": [f"{address}/24"], "gateway": ROUTER}
        path = f"network/interfaces/{self.interface()['name']}/"
        answer = self.console.ask("PUT", path, {"ipv4": ipv4, "dns": [DNS]})
        assert answer.status == 202, answer
        return int(answer.body["id"])

    def files(self) -> str:
        """Our files, and what they say."""
        said = self.machine.run("cd /etc/systemd/network && grep -H '' 05-nasweb-*.network", check=False)
        return said.stdout

    def wait_until_cut_off(self) -> None:
        """Returns once the machine cannot be reached any more."""
        until(lambda: not self.machine.shell.boot_id(), limit_s=CONFIRM_S)


@pytest.fixture(scope="module")
def wire() -> Iterator[Wire]:
    with Machine(build_image(built_release())) as machine:
        machine.boot()
        wait_until_up(machine)
        yield Wire(machine)


def was_taken_back(wire: Wire, job: int) -> None:
    """The machine is as before, says so, and its job is no riddle."""
    network = wire.network()
    assert (network["pending"], network["undone"] is not None) == (None, True), network
    assert wire.console.end_of(job)["state"] in {"succeeded", "interrupted"}
    assert wire.machine.run(f"test -e {_MARK}", check=False).exit == 1
    assert failed_units(wire.machine) == ""


def test_a_change_that_cuts_off_is_taken_back(wire: Wire) -> None:
    boot, before = wire.machine.shell.boot_id(), wire.files()
    job = wire.set("10.0.2.99")
    wire.wait_until_cut_off()
    started = time.monotonic()
    took, back = until(wire.machine.shell.boot_id, limit_s=4 * CONFIRM_S)
    print(f"\n  back after {took:.0f} s")
    assert (back, time.monotonic() - started > 10) == (boot, True)
    was_taken_back(wire, job)
    assert (wire.files(), wire.fixed()) == (before, [])


def test_the_next_change_is_free_again_and_stays_when_it_is_kept(wire: Wire) -> None:
    name = wire.interface()["name"]
    view = wire.console.end_of(wire.set(ADDRESS))
    assert view["state"] == "succeeded", view
    pending = wire.console.get("network/")["pending"]
    wire.console.do("POST", "network/confirm/", {})  # the minute runs: nothing else comes before
    assert pending["interface"] == name
    wire.machine.wait_until(
        f"! test -e {_MARK} && ! systemctl is-active --quiet nasweb-network-rollback.timer"
    )
    assert (wire.network()["pending"], wire.fixed()) == (None, [ADDRESS])
    kept = wire.files()
    wire.machine.reboot()  # which takes longer than the minute
    wait_until_up(wire.machine)
    assert (wire.fixed(), wire.files()) == ([ADDRESS], kept)


def test_a_change_is_taken_back_at_once_when_asked(wire: Wire) -> None:
    kept = wire.files()
    view = wire.console.end_of(
        wire.console.submit(
            "PUT", f"network/interfaces/{wire.interface()['name']}/", {"ipv4": {"method": "automatic"}}
        )
    )
    assert view["state"] == "succeeded", view
    wire.console.do("POST", "network/revert/", {})
    until(lambda: wire.fixed() == [ADDRESS])
    assert wire.files() == kept


def test_the_power_goes_before_anybody_kept_the_change(wire: Wire) -> None:
    kept = wire.files()
    job = wire.set("10.0.2.98")
    wire.wait_until_cut_off()
    wire.machine.cut_power()
    wire.machine.boot()
    wait_until_up(wire.machine)
    was_taken_back(wire, job)
    assert (wire.files(), wire.fixed()) == (kept, [ADDRESS])
    said = wire.machine.run("journalctl --boot --unit nasweb-network-rollback --output cat --no-pager").stdout
    assert "was taken back: nobody kept it." in said


def test_the_power_goes_right_after_somebody_kept_it(wire: Wire) -> None:
    path = f"network/interfaces/{wire.interface()['name']}/"
    ipv4 = {"method": "fixed", "addresses": [f"{ADDRESS}/24"], "gateway": ROUTER}
    wire.console.end_of(wire.console.submit("PUT", path, {"ipv4": ipv4, "search": ["home.arpa"]}))
    wire.console.do("POST", "network/confirm/", {})
    kept = wire.files()
    assert "Domains=home.arpa" in kept
    wire.machine.cut_power()
    wire.machine.boot()
    wait_until_up(wire.machine)
    assert (wire.files(), wire.fixed(), wire.network()["pending"]) == (kept, [ADDRESS], None)
