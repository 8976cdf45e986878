"""machine.set-name and machine.set-time-zone, by comparing values."""

from __future__ import annotations

import msgspec
import pytest

from host.commands import PlaceHosts, ReloadService, SetHostname, SetTimeZone, StageHosts
from host.inventory import Naming, Schedule, Served, Sharing, SmbShare
from jobs.plan import Refused
from machine.naming import set_name, set_time_zone
from machine.naming.set_name import SetName
from machine.naming.set_time_zone import ChangeTimeZone
from tests.machine.cases import HOSTS, machine


def test_the_name_and_its_line_change_and_the_network_is_told() -> None:
    inventory = msgspec.structs.replace(machine(), served=Served(services={"avahi-daemon": "active"}))
    (step,) = set_name.plan(SetName(name="attic"), inventory).steps
    told = ReloadService(service="avahi-daemon", how="restart")
    text = HOSTS.replace("nas.lan nas", "attic.lan attic")
    assert step.commands == (StageHosts(text=text), SetHostname(name="attic"), PlaceHosts(), told)
    assert step.undo == (SetHostname(name="nas"), StageHosts(text=HOSTS), PlaceHosts(), told)


def test_a_file_that_does_not_name_it_is_left_alone() -> None:
    inventory = machine(naming=Naming(name="nas", kept="nas", hosts="127.0.0.1 localhost\n"))
    (step,) = set_name.plan(SetName(name="attic"), inventory).steps
    assert step.commands == (SetHostname(name="attic"),)


def test_a_name_that_would_be_lost_at_the_next_start_can_be_kept() -> None:
    inventory = machine(naming=Naming(name="attic", kept="nas", hosts=""))
    assert set_name.plan(SetName(name="attic"), inventory).steps[0].commands == (SetHostname(name="attic"),)


def test_who_uses_the_old_name_is_thought_of() -> None:
    share = SmbShare(id=1, name="Files", guid="7", dataset="tank/files")
    inventory = msgspec.structs.replace(machine(), sharing=Sharing(smb=(share,)))
    found = {
        one.code: one.message
        for one in set_name.plan(SetName(name="a-name-too-long-for-it"), inventory).findings
    }
    assert "https://a-name-too-long-for-it.local/" in found["address-changes"]
    assert "the name nas has to use" in found["clients-use-name"]
    assert "A-NAME-TOO-LONG." in found["cut-in-smb"]


@pytest.mark.parametrize(("name", "code"), [("nas", "nothing-changes"), ("Nas", "bad-name")])
def test_what_cannot_be_is_refused(name: str, code: str) -> None:
    with pytest.raises(Refused) as refused:
        set_name.plan(SetName(name=name), machine())
    assert [(one.code, one.field) for one in refused.value.findings] == [(code, "name")]


def test_a_time_zone_is_set_and_schedules_stay() -> None:
    kept = Schedule(
        id=1, operation="pool.scrub", request={}, subject="pool:1", cron="0 0 * * *", time_zone="UTC",
        missed="run", enabled=True, handled="2026-11-21T12:00:00+00:00",
    )  # fmt: skip
    inventory = msgspec.structs.replace(machine(), schedules=(kept,))
    plan = set_time_zone.plan(ChangeTimeZone(time_zone="Europe/Berlin"), inventory)
    assert plan.steps[0].commands == (SetTimeZone(zone="Europe/Berlin"),)
    assert plan.steps[0].undo == (SetTimeZone(zone="Etc/UTC"),)
    assert [one.code for one in plan.findings] == ["schedules-stay"]


@pytest.mark.parametrize("zone", ["Berlin", "europe/berlin", "../etc/passwd", "", "Etc/GMT+3"])
def test_a_zone_that_nobody_knows_is_refused(zone: str) -> None:
    with pytest.raises(Refused) as refused:
        set_time_zone.plan(ChangeTimeZone(time_zone=zone), machine())
    assert refused.value.findings[0].code == "unknown-zone"
