"""session.end: what the plan says of a client before it is disconnected."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from host.base import Host
from host.commands.shares.sessions import EndSmbd, ExpireNfsClient
from host.inventory.sessions import OpenFile, Session
from host.simulated import SimulatedHost
from jobs.plan import Plan, Refused
from shares.sessions import end, see
from tests import made

ADA = Session(
    id="smb-1", protocol="smb", number=4711, machine="laptop", address="10.0.2.2", dialect="SMB3_11",
    person="ada",
    files=(OpenFile(path="/mnt/tank/a", mode="both"), OpenFile(path="/mnt/tank/b", mode="read")),
)  # fmt: skip
BOB = msgspec.structs.replace(ADA, id="smb-2", person="bob", files=())
NFS = Session(id="nfs-3", protocol="nfs", number=3, machine="lab", dialect="NFSv4.2", address="10.0.2.9")


def plan(session: str, *known: Session) -> Plan:
    report: dict[str, Any] = {end.QUESTION: see.Sessions(results=known)}
    return end.plan(
        end.EndSession(session=session), msgspec.structs.replace(made.inventory(), answers=report)
    )


def test_the_plan_names_who_from_where_and_what_may_be_lost() -> None:
    made_plan = plan("smb-1", ADA, NFS)
    (step,) = made_plan.steps
    assert step.title == "Disconnect ada at 10.0.2.2, laptop (SMB)"
    assert step.commands == (EndSmbd(process=4711),)
    assert [loss.session for loss in made_plan.destroys] == ["ada at 10.0.2.2, laptop (SMB)"]
    report = [finding.message for finding in made_plan.findings if finding.code == "open-files"]
    assert report == ["2 files are open, 1 of them for writing."]  # which is for those who may read files
    assert made_plan.claims == ("session:smb-4711",)


def test_all_sessions_of_one_process_end_and_are_named() -> None:
    made_plan = plan("smb-2", ADA, BOB)
    assert [finding.code for finding in made_plan.findings if finding.level == "warning"] == ["same-process"]
    assert [loss.session for loss in made_plan.destroys] == ["ada at 10.0.2.2, laptop (SMB)"]


def test_who_only_reads_loses_nothing() -> None:
    reading = msgspec.structs.replace(NFS, files=(OpenFile(path="tank/b", mode="read"),))
    made_plan = plan("nfs-3", reading, ADA)
    assert made_plan.destroys == ()
    assert made_plan.steps[0].commands == (ExpireNfsClient(client=3),)
    assert made_plan.steps[0].title == "Disconnect the NFS client lab at 10.0.2.9"


def test_reading_another_file_leaves_the_plan_as_it_was() -> None:
    other = msgspec.structs.replace(ADA, files=(OpenFile(path="/mnt/tank/z", mode="write"),))
    assert plan("smb-1", ADA).digest == plan("smb-1", other).digest
    assert plan("smb-1", ADA).digest != plan("smb-1", msgspec.structs.replace(ADA, files=())).digest


def test_a_session_that_is_gone_is_refused() -> None:
    with pytest.raises(Refused) as refused:
        plan("smb-9", ADA, NFS)
    assert [finding.code for finding in refused.value.findings] == ["unknown-session"]


def test_files_that_are_written_are_never_left_out(simulated: SimulatedHost) -> None:
    files = {f"r{number}": "r" for number in range(300)} | {"z": "rw"}
    simulated.connect(person="ada", share="home", folder="/mnt/tank", files=files)
    host: Host = simulated
    (session,) = see.answer(see.AskSessions(), host).results
    assert (len(session.files), session.more_files, session.files[0].path) == (200, 101, "/mnt/tank/z")
