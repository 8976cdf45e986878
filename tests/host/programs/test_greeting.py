"""What the machine's screens say above the login prompt."""

from __future__ import annotations

from pathlib import Path

import pytest

from host.inventory import Address, Interface
from host.programs import greeting
from host.simulated import SimulatedHost

ENO1 = Interface(
    name="eno1",
    carrier=True,
    addresses=(
        Address(address="fe80::1", prefix=64, origin="link"),
        Address(address="2001:db8::20", prefix=64),
        Address(address="192.168.1.20", prefix=24),
    ),
)
CODE = "K7QM-3XRT-9HPA"


def test_it_shows_each_address_and_the_code() -> None:
    assert greeting.greeting("nas", (ENO1,), CODE) == (
        "\n"
        "Nasweb on nas\n"
        "\n"
        "    https://nas.local\n"
        "    https://192.168.1.20\n"
        "    https://[2001:db8::20]\n"
        "\n"
        "Nobody has claimed this machine. Open one of these in a browser and type\n"
        "\n"
        "    K7QM-3XRT-9HPA\n"
        "\n"
    )


def test_once_there_is_an_account_it_shows_addresses_alone() -> None:
    said = greeting.greeting("nas", (ENO1,), None)
    assert said.splitlines()[-2] == "    https://[2001:db8::20]"


def test_without_an_address_it_says_so() -> None:
    assert "no network" in greeting.greeting("nas", (Interface(name="eno1"),), None)


@pytest.mark.parametrize(
    "held",
    [
        "",
        "K7QM",
        f"{CODE}{CODE}",
        f"\\S{{PRETTY_NAME}}\n{CODE}",
        f"\x1b[2J{CODE}",
        "root:x:0:0:root",
        "é" * 9,
    ],
)
def test_nothing_but_a_code_is_taken_from_the_file(tmp_path: Path, held: str) -> None:
    (tmp_path / "code").write_text(held)
    assert greeting.code_in(tmp_path / "code") is None


def test_a_link_is_not_followed_and_a_pipe_not_waited_for(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").write_text(CODE)
    (tmp_path / "code").symlink_to(tmp_path / "elsewhere")
    assert greeting.code_in(tmp_path / "code") is None
    assert greeting.code_in(tmp_path / "elsewhere") == CODE
    assert greeting.code_in(tmp_path / "none") is None


def test_screens_are_asked_to_redraw_when_something_changed(tmp_path: Path) -> None:
    machine = SimulatedHost(tmp_path / "machine.json", "home")
    code, issue, reload = tmp_path / "code", tmp_path / "nasweb.issue", tmp_path / "agetty.reload"
    code.write_text(f"{CODE}\n")
    assert greeting.main(host=machine, code=code, issue=issue, reload=reload) == 0
    assert CODE in issue.read_text() and "    https://192.168." in issue.read_text()
    assert issue.stat().st_mode & 0o777 == 0o600  # who has no account on the machine has no code
    reload.unlink()
    greeting.main(host=machine, code=code, issue=issue, reload=reload)
    assert not reload.exists()
    code.unlink()
    greeting.main(host=machine, code=code, issue=issue, reload=reload)
    assert reload.exists() and CODE not in issue.read_text()
