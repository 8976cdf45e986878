"""machine.set-log-target, by comparing values; and the rules that root's helper holds again."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from rest_framework.test import APIClient

from accounts.models import User
from accounts.roles import SCOPES, Role
from host.commands import closed
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
from host.connections.authority import authority_fault
from host.contents import logs
from host.inventory import LogForwarding, LogTarget
from host.simulated import SimulatedHost
from host.simulated.network.certificate import pem
from jobs.plan import Refused
from machine.monitoring.set_log_target import SetLogTarget, plan
from tests.conftest import caller
from tests.machine.cases import machine

SETTING = "/api/v1/system/settings/log-target/"
AUTHORITY = pem("logs")
LAST = (CheckLogTarget(), PlaceLogTarget(), RestartLogForwarding(), CheckLogForwarding())
TCP = LogForwarding(target=LogTarget(protocol="tcp", host="logs.lan", port=514), active=True)


def codes(now: LogForwarding, **request: Any) -> list[tuple[str, str]]:
    with pytest.raises(Refused) as refused:
        plan(SetLogTarget(**request), machine(logs=now))
    return [(finding.code, finding.field) for finding in refused.value.findings]


def test_it_is_staged_checked_placed_and_followed_and_off_is_the_way_back() -> None:
    (step,) = plan(SetLogTarget(protocol="udp", host="192.168.1.5"), machine()).steps
    assert step.commands == (StageLogTarget(protocol="udp", host="192.168.1.5", port=514), *LAST)
    assert step.undo == (RemoveLogTarget(), RestartLogForwarding())


def test_tls_with_an_authority_of_its_own_and_back_to_what_was_before() -> None:
    request = SetLogTarget(protocol="tls", host="logs.lan", authority=f"\r\n{AUTHORITY}\r\n")
    (step,) = plan(request, machine(logs=TCP)).steps
    staged = StageLogTarget(protocol="tls", host="logs.lan", port=6514, own_authority=True)
    assert step.commands == (StageLogAuthority(text=AUTHORITY), PlaceLogAuthority(), staged, *LAST)
    before = StageLogTarget(protocol="tcp", host="logs.lan", port=514)
    assert step.undo == (RemoveLogAuthority(), before, *LAST)


def test_plain_text_is_warned_of() -> None:
    found = plan(SetLogTarget(protocol="udp", host="logs.lan"), machine()).findings
    assert [one.code for one in found] == ["not-encrypted", "may-be-lost"]
    assert plan(SetLogTarget(protocol="tls", host="logs.lan"), machine()).findings == ()


@pytest.mark.parametrize(
    ("host", "code"),
    [
        ("", "bad-host"),
        ('logs.lan" template="x', "bad-host"),
        ("logs.lan\nmodule(load=omprog)", "bad-host"),
        ("LOGS.lan", "bad-host"),
        ("%HOSTNAME%", "bad-host"),
        ("-a.lan", "bad-host"),
        ("127.0.0.1", "bad-host"),
        ("::1", "bad-host"),
        ("::ffff:127.0.0.1", "bad-host"),
        ("0.0.0.0", "bad-host"),
        ("169.254.169.254", "bad-host"),
        ("fe80::1%eth0", "bad-host"),
        ("localhost", "bad-host"),
        ("a.localhost", "bad-host"),
        ("1.2.3", "bad-host"),
        ("0x7f000001.1", "bad-host"),
        ("a" * 64, "bad-host"),
        ("192.168.1.5", "no-name"),
    ],
)
def test_a_host_that_cannot_be_a_log_server_is_refused(host: str, code: str) -> None:
    assert codes(LogForwarding(), protocol="tls", host=host) == [(code, "host")]
    assert logs.target_fault("tls", host)
    with pytest.raises((ValueError, msgspec.ValidationError)):
        closed.decode(
            msgspec.json.encode({"type": "StageLogTarget", "protocol": "tls", "host": host, "port": 1})
        )


def test_all_that_is_wrong_is_said_at_once() -> None:
    assert codes(LogForwarding(), protocol="tcp", host="", port=0, authority="x") == [
        ("bad-host", "host"), ("bad-port", "port"), ("no-tls", "authority"),
    ]  # fmt: skip
    assert codes(TCP, protocol="off", host="a") == [("not-with-off", "host")]
    broken = AUTHORITY.replace("MI", "AA", 1)
    for text in ("x", broken, AUTHORITY * 5):
        wrong = codes(LogForwarding(), protocol="tls", host="logs.lan", authority=text)
        assert wrong == [("bad-authority", "authority")]


def test_nothing_to_change_is_said_but_a_service_that_stands_still_is_started() -> None:
    assert codes(LogForwarding(), protocol="off") == [("nothing-changes", "protocol")]
    assert codes(TCP, protocol="tcp", host="logs.lan") == [("nothing-changes", "protocol")]
    still = msgspec.structs.replace(TCP, active=False)
    assert plan(SetLogTarget(protocol="tcp", host="logs.lan"), machine(logs=still)).steps


def test_a_file_changed_by_hand_is_reported_and_replaced() -> None:
    text = logs.render("tcp", "logs.lan", 514, own_authority=False)
    assert logs.read(text, "", active=True) == TCP
    for other in (text + "*.* /var/log/all\n", text.replace("514", "0514"), "anything\n"):
        altered = logs.read(other, "", active=True)
        assert altered == LogForwarding(altered=True, active=True)
    made = plan(SetLogTarget(protocol="off"), machine(logs=LogForwarding(altered=True, active=True)))
    assert made.steps[0].undo == ()
    assert [one.code for one in made.findings] == ["changed-by-hand"]


@pytest.mark.parametrize(
    "text", ["", "x\n", AUTHORITY + "x", AUTHORITY.replace("\n", "\r\n"), "-----BEGIN\n" * 90]
)
def test_the_helper_takes_certificates_and_nothing_else(text: str) -> None:
    assert authority_fault(text)
    with pytest.raises((ValueError, msgspec.ValidationError)):
        closed.decode(msgspec.json.encode({"type": "StageLogAuthority", "text": text}))


def test_the_file_holds_the_values_in_their_places_alone() -> None:
    text = logs.render("tls", "logs.lan", 6514, own_authority=True)
    assert text.count("logs.lan") == 3 and 'streamDriverPermittedPeers="logs.lan"' in text
    assert f'defaultNetstreamDriverCAFile="{logs.AUTHORITY}"' in text
    assert "omfile" not in text and "/var/log" not in text and "queue.filename" not in text


def test_by_the_api_an_admin_sends_the_journal_away_and_keeps_it_again(
    api: APIClient, simulated: SimulatedHost
) -> None:
    operator = caller(User.objects.create_user("olga", role=Role.OPERATOR), *SCOPES)
    wanted = {"protocol": "tls", "host": "logs.lan", "authority": AUTHORITY}
    assert operator.put(SETTING, wanted).status_code == 403
    done = api.put(SETTING, wanted, headers={"Prefer": "wait=10"}).json()
    assert done["state"] == "succeeded", done
    found = api.get(SETTING).json()
    assert (found["protocol"], found["host"], found["port"], found["active"]) == (
        "tls",
        "logs.lan",
        6514,
        True,
    )
    assert found["authority"] == AUTHORITY
    assert simulated.machine().files[logs.FILE].startswith("# Written by Nasweb: tls logs.lan 6514 own\n")
    api.put(SETTING, {"protocol": "off"}, headers={"Prefer": "wait=10"})
    found = api.get(SETTING).json()
    assert (found["protocol"], found["port"], found["active"]) == ("off", None, False)
    assert not {logs.FILE, logs.AUTHORITY} & simulated.machine().files.keys()


def test_a_service_that_does_not_start_is_reported_and_taken_back(
    api: APIClient, simulated: SimulatedHost
) -> None:
    simulated.fail_next(CheckLogForwarding, stderr="", exit_status=3)
    done = api.put(SETTING, {"protocol": "tcp", "host": "logs.lan"}, headers={"Prefer": "wait=10"}).json()
    assert done["state"] == "failed"
    assert logs.FILE not in simulated.machine().files
