"""Parsers of passwd(5), group(5) and pdbedit; how a machine without Samba is probed."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import msgspec
import pytest

from host.commands.closed import decode, encode
from host.commands.shares.accounts import (
    AddPerson,
    SambaAccounts,
    SambaMark,
    SetSambaExpiry,
    SetSambaPassword,
)
from host.inventory import Group, Person
from host.probe.cache import ProbeCache
from host.probe.shares.people import SambaAccount, account_rows, parse_accounts, parse_pdbedit
from host.probe.whole import probe
from host.secrets import SecretStore
from host.simulated import SimulatedHost

PASSWD = (
    "root:x:0:0:root:/root:/bin/bash\n"
    "bert:x:34999:29999:Bert,Room 3,,:/nonexistent:/usr/sbin/nologin\n"
    "anna:x:30000:29999::/nonexistent:/usr/sbin/nologin\n"
    "owner:x:1000:1000::/home/owner:/bin/bash\n"
    "later:x:35000:29999::/nonexistent:/usr/sbin/nologin\n"
    "+nis\n\n"
)
GROUP = (
    "root:x:0:\nvideo:x:44:anna\nkin:x:35000:bert,anna\ncrew:x:39999:\nsudo:x:27:owner\nodd:x:40000:anna\n"
)
TWO = """---------------
Unix username:        anna
NT username:          
Account Flags:        [U          ]
User SID:             S-1-5-21-1-2-3-1000
Full Name:            Unix username: bert
Kickoff time:         {kickoff}
Password must change: never
Last bad password   : 0
---------------
Unix username:        bert
Account Flags:        [DU         ]
Kickoff time:         0
"""  # noqa: W291


def test_people_and_groups_are_those_of_the_consoles_numbers() -> None:
    found = parse_accounts(PASSWD, GROUP, {"bert": SambaAccount(enabled=False, expires="2027-01-01")})
    assert found.people == (
        Person(name="anna", uid=30_000, groups=("kin", "odd", "video")),
        Person(
            name="bert", uid=34_999, full_name="Bert", groups=("kin",), samba="disabled", expires="2027-01-01"
        ),
    )
    assert found.groups == (
        Group(name="crew", gid=39_999),
        Group(name="kin", gid=35_000, members=("anna", "bert")),
    )
    assert found.uids == {"root": 0, "bert": 34_999, "anna": 30_000, "owner": 1000, "later": 35_000}
    assert set(found.gids) == {"root", "video", "kin", "crew", "sudo", "odd"}


def test_what_is_no_account_is_left_out() -> None:
    assert [row.name for row in account_rows("a:x:1\n:\n#c\nb:x:-2:\nc:x:3:")] == ["a", "c"]


@pytest.mark.parametrize(
    ("kickoff", "expires"),
    [
        ("never", None), ("0", None), ("Wed, 06 Feb 2036 15:06:39 UTC", None),
        ("Tue, 19 Jan 2038 03:14:07 UTC", None), ("9223372036854775807 seconds since the Epoch", None),
        ("Sun, 01 Nov 2026 00:00:00 UTC", "2026-11-01"), ("Wed, 06 Feb 2036 00:00:00 UTC", "2036-02-06"),
        ("Sun, 01 Nov 2026 13:30:00 UTC", "2026-11-01"),
    ],
)  # fmt: skip
def test_what_samba_knows_is_read_record_by_record(kickoff: str, expires: str | None) -> None:
    assert parse_pdbedit(TWO.format(kickoff=kickoff)) == {
        "anna": SambaAccount(enabled=True, expires=expires),
        "bert": SambaAccount(enabled=False),
    }
    assert parse_pdbedit("") == {}


@pytest.fixture
def nas(tmp_path: Path) -> SimulatedHost:
    """A machine with one person who has a password."""
    store = SecretStore(tmp_path / "secrets")
    host = SimulatedHost(tmp_path / "machine.json", secrets=store)
    host.run(AddPerson(name="anna", uid=30_000))
    host.run(SetSambaPassword(name="anna", secret=store.put("right password")))
    return host


def test_a_probe_finds_people_with_what_samba_knows(nas: SimulatedHost) -> None:
    found = probe(nas).accounts
    assert [(one.name, one.samba) for one in found.people] == [("anna", "enabled")]
    assert (found.samba_answers, nas.knows_password("anna", "right password")) == (True, True)
    assert not nas.knows_password("anna", "wrong password")


@pytest.mark.parametrize("how", ["missing", "failing"])
def test_a_machine_whose_samba_does_not_answer_is_probed_all_the_same(nas: SimulatedHost, how: str) -> None:
    if how == "missing":
        nas.lose_samba()
    else:
        nas.fail_next(SambaAccounts, stderr="Can't load /etc/samba/smb.conf\n")
    found = probe(nas).accounts
    assert [(one.name, one.samba) for one in found.people] == [("anna", "none")]
    assert not found.samba_answers


def test_samba_is_not_asked_about_nobody(tmp_path: Path) -> None:
    host = SimulatedHost(tmp_path / "machine.json")
    host.fail_next(SambaAccounts, stderr="asked\n")
    assert probe(host).accounts.samba_answers
    assert [fault.command for fault in host.machine().faults] == ["SambaAccounts"]


def test_samba_is_asked_again_when_its_accounts_or_the_machines_changed(nas: SimulatedHost) -> None:
    cache = ProbeCache()
    assert probe(nas, cache=cache).accounts.person("anna") is not None
    nas.fail_next(SambaAccounts, stderr="asked\n")
    assert probe(nas, cache=cache).accounts.samba_answers, "nothing changed: nobody is asked"
    nas.run(SetSambaExpiry(name="anna", day=date(2026, 11, 1)))
    assert not probe(nas, cache=cache).accounts.samba_answers, "asked, and failed"
    anna = probe(nas, cache=cache).accounts.person("anna")
    assert (anna and anna.expires) == "2026-11-01"
    nas.fail_next(SambaAccounts, stderr="asked\n")
    nas.run(AddPerson(name="bert", uid=30_001))
    assert not probe(nas, cache=cache).accounts.samba_answers


def test_samba_is_asked_again_after_minutes_and_where_its_file_is_elsewhere(
    nas: SimulatedHost, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [1000.0]
    monkeypatch.setattr("host.probe.shares.people.time.monotonic", lambda: now[0])
    cache = ProbeCache()
    assert probe(nas, cache=cache).accounts.samba_answers
    nas.fail_next(SambaAccounts, stderr="asked\n")
    now[0] += 301
    assert not probe(nas, cache=cache).accounts.samba_answers
    assert probe(nas, cache=cache).accounts.samba_answers
    for command in (SambaMark, SambaAccounts):
        nas.fail_next(command, stderr="asked\n")
    assert not probe(nas, cache=cache).accounts.samba_answers


def test_a_day_becomes_its_first_second() -> None:
    command = SetSambaExpiry(name="anna", day=date(2026, 11, 1))
    assert command.argv()[-1] == "--kickoff-time=1793491200"
    assert decode(encode(command)) == command
    with pytest.raises(msgspec.ValidationError, match="between"):
        decode(b'{"type":"SetSambaExpiry","name":"anna","day":"2106-03-01"}')


@pytest.mark.parametrize("name", ["-x", "a b", "", "a:b", "A", "a,b", "a\n", "a" * 32, "../a"])
def test_what_is_no_name_is_no_command(name: str) -> None:
    with pytest.raises(msgspec.ValidationError):
        decode(msgspec.json.encode({"type": "RemovePerson", "name": name}))
    with pytest.raises(msgspec.ValidationError):
        decode(msgspec.json.encode({"type": "SetMembers", "group": "kin", "members": [name]}))


@pytest.mark.parametrize("text", ["a:b", "a,b", "a=b", "a\nb", "a\x00", "x" * 81])
def test_a_full_name_holds_nothing_that_ends_its_field(text: str) -> None:
    with pytest.raises(msgspec.ValidationError):
        decode(msgspec.json.encode({"type": "AddPerson", "name": "a", "uid": 30_000, "full_name": text}))
