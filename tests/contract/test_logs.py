"""Where the journal is sent: what is written, that the service follows it, and the way back.

The servers have addresses that belong to nobody (RFC 5737): what is sent to them goes nowhere.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from host.base import CommandFailed, Host
from host.commands.logs import (
    CheckLogForwarding,
    CheckLogTarget,
    PlaceLogAuthority,
    PlaceLogTarget,
    RemoveLogAuthority,
    RemoveLogTarget,
    RestartLogForwarding,
    StageLogAuthority,
    StageLogTarget,
)
from host.inventory import LogForwarding, LogTarget
from host.probe.network import NAMES, NETWORK, parse_machine
from host.simulated.network.certificate import pem

AUTHORITY = pem("logs")
HOST = "192.0.2.9"


def forwarding(host: Host) -> LogForwarding:
    return parse_machine(tuple(host.run(command).stdout for command in (*NAMES, *NETWORK))).network.logs


@pytest.fixture
def quiet(host: Host) -> Iterator[Host]:
    """A machine whose journal stays there, before and after."""
    assert forwarding(host) == LogForwarding()
    yield host
    host.run(RemoveLogTarget())
    host.run(RestartLogForwarding())


@pytest.mark.core
def test_the_journal_is_sent_and_then_no_longer(quiet: Host) -> None:
    quiet.run(StageLogTarget(protocol="udp", host=HOST, port=514))
    assert forwarding(quiet) == LogForwarding()
    quiet.run(CheckLogTarget())
    quiet.run(PlaceLogTarget())
    quiet.run(RestartLogForwarding())
    assert quiet.run(CheckLogForwarding()).stdout == "active\n"
    target = LogTarget(protocol="udp", host=HOST, port=514)
    assert forwarding(quiet) == LogForwarding(target=target, active=True)
    quiet.run(RemoveLogTarget())
    quiet.run(RestartLogForwarding())
    with pytest.raises(CommandFailed):
        quiet.run(CheckLogForwarding())
    assert forwarding(quiet) == LogForwarding()


def test_a_server_that_does_not_answer_does_not_end_the_service(quiet: Host) -> None:
    quiet.run(StageLogAuthority(text=AUTHORITY))
    quiet.run(PlaceLogAuthority())
    quiet.run(StageLogTarget(protocol="tls", host="logs.invalid", port=6514, own_authority=True))
    quiet.run(CheckLogTarget())
    quiet.run(PlaceLogTarget())
    quiet.run(RestartLogForwarding())
    quiet.run(CheckLogForwarding())
    target = LogTarget(protocol="tls", host="logs.invalid", port=6514, authority=AUTHORITY)
    assert forwarding(quiet) == LogForwarding(target=target, active=True)
    quiet.run(RemoveLogAuthority())
    found = forwarding(quiet).target
    assert found is not None and found.authority == ""


def test_what_was_not_staged_is_neither_checked_nor_placed(quiet: Host) -> None:
    for command in (CheckLogTarget(), PlaceLogTarget(), PlaceLogAuthority()):
        with pytest.raises(CommandFailed, match="No such file or directory"):
            quiet.run(command)
