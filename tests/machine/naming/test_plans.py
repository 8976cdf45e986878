"""machine.set-name and machine.set-time-zone, by comparing values."""

from __future__ import annotations

import msgspec
import pytest

from host.commands.naming import MakeCertificate, PlaceHosts, SetHostname, SetTimeZone, StageHosts
from host.commands.shares.sharing import ReloadService
from host.inventory import Certificate, Naming, Schedule, Served, Sharing, SmbShare
from jobs.plan import Refused
from machine.naming import set_name, set_time_zone
from machine.naming.set_name import SetName
from machine.naming.set_time_zone import ChangeTimeZone
from tests.machine.cases import HOSTS, machine


def test_the_name_and_its_line_change_and_are_announced_on_the_network() -> None:
    inventory = msgspec.structs.replace(machine(), served=Served(services={"avahi-daemon": "active"}))
    (step,) = set_name.plan(SetName(name="attic"), inventory).steps
    report = ReloadService(service="avahi-daemon", how="restart")
    text = HOSTS.replace("nas.lan nas", "attic.lan attic")
    assert step.commands == (StageHosts(text=text), SetHostname(name="attic"), PlaceHosts(), report)
    assert step.undo == (SetHostname(name="nas"), StageHosts(text=HOSTS), PlaceHosts(), report)


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
    assert "the name nas for shares have to use" in found["clients-use-name"]
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


OURS = Certificate(names=("nas", "nas.local", "localhost", "127.0.0.1"), ours=True)
OWN = Certificate(names=("nas.example.org",), ours=False)


def certified(known: Certificate | None) -> Naming:
    return Naming(name="nas", kept="nas", hosts=HOSTS, certificate=known)


def test_wsdd2_announces_it_to_windows_where_it_runs() -> None:
    inventory = msgspec.structs.replace(machine(), served=Served(services={"wsdd2": "active"}))
    (step,) = set_name.plan(SetName(name="attic"), inventory).steps
    assert step.commands[-1] == step.undo[-1] == ReloadService(service="wsdd2", how="restart")
    silent = msgspec.structs.replace(machine(), served=Served(services={"wsdd2": "inactive"}))
    assert set_name.plan(SetName(name="attic"), silent).steps[0].commands[-1] == PlaceHosts()


def test_a_certificate_of_our_own_is_made_anew_with_a_warning() -> None:
    plan = set_name.plan(SetName(name="attic"), machine(naming=certified(OURS)))
    assert plan.steps[-1].commands == (MakeCertificate(name="attic"),)
    assert [one.level for one in plan.findings if one.code == "certificate-renewed"] == ["warning"]


def test_a_certificate_that_failed_can_be_made_for_the_name_that_is_there() -> None:
    failed = msgspec.structs.replace(OURS, names=("old", "old.local"))
    plan = set_name.plan(SetName(name="nas"), machine(naming=certified(failed)))
    (step,) = plan.steps
    assert step.commands == (MakeCertificate(name="nas"),)
    assert [one.code for one in plan.findings] == ["certificate-renewed"]


def test_a_certificate_that_has_the_name_already_stays() -> None:
    known = msgspec.structs.replace(OURS, names=("attic", "attic.local"))
    plan = set_name.plan(SetName(name="attic"), machine(naming=certified(known)))
    assert len(plan.steps) == 1 and "certificate" not in " ".join(one.code for one in plan.findings)


@pytest.mark.parametrize(("names", "objects"), [(("nas.example.org",), True), (("attic.local",), False)])
def test_a_certificate_of_the_owners_is_left_alone(names: tuple[str, ...], objects: bool) -> None:
    plan = set_name.plan(
        SetName(name="attic"), machine(naming=certified(msgspec.structs.replace(OWN, names=names)))
    )
    (said,) = [one for one in plan.findings if one.code == "certificate-stays"]
    assert len(plan.steps) == 1
    assert (said.level, names[0] in said.message) == ("info", True)
    assert ("will warn" in said.message) is objects


def test_nothing_is_said_of_a_certificate_that_is_not_there() -> None:
    plan = set_name.plan(SetName(name="attic"), machine(naming=certified(None)))
    assert not [one for one in plan.findings if one.code.startswith("certificate")]


def test_a_file_of_names_that_cannot_be_read_is_mended_by_hand_first() -> None:
    inventory = machine(naming=Naming(name="nas", kept="nas", hosts=f"{HOSTS}what is this\n"))
    with pytest.raises(Refused, match="/etc/hosts has the line “what is this”"):
        set_name.plan(SetName(name="attic"), inventory)
