"""For whom a program makes files, and for whom never. What it makes is tried by a drill of the lab."""

from __future__ import annotations

import msgspec
import pytest

from host.base import CommandFailed
from host.commands.closed import decode, encode
from host.commands.datasets.zfs import ZfsUnmount
from host.commands.files import FilesUnitSaid
from host.commands.uploads import ForgetUpload, ReceiveFiles
from tests.contract.bench import Bench

TICKET, UPLOAD = "c1" * 16, "d2" * 16


def why_not(tank: Bench, dataset: str, person: str) -> str:
    with pytest.raises(CommandFailed) as failed:
        tank.host.run(ReceiveFiles(ticket=TICKET, dataset=dataset, person=person))
    return failed.value.result.stderr.strip().splitlines()[-1]


@pytest.mark.core
def test_no_program_makes_files_for_an_account_of_the_system(tank: Bench) -> None:
    name = tank.fresh()
    for person in ("root", "backup", "nobody"):
        assert why_not(tank, name, person) == f"{person} is a system account, not a NAS user."
    assert why_not(tank, name, "never-was") == "There is no NAS user called never-was. Add one first."


def test_the_reason_is_in_the_journal(tank: Bench) -> None:
    why = why_not(tank, tank.fresh(), "root")
    assert tank.host.run(FilesUnitSaid(what="upload", key=TICKET)).stdout.strip() == why


def test_what_was_never_begun_is_forgotten(tank: Bench) -> None:
    name = tank.fresh()
    for folder in ("", "gone/deeper"):
        tank.host.run(ForgetUpload(dataset=name, folder=folder, upload=UPLOAD))


def test_what_cannot_be_reached_is_not_forgotten(tank: Bench) -> None:
    name = tank.fresh()
    tank.host.run(ZfsUnmount(name=name))
    with pytest.raises(CommandFailed) as failed:
        tank.host.run(ForgetUpload(dataset=name, folder="", upload=UPLOAD))
    assert failed.value.result.exit == 3


@pytest.mark.parametrize("bad", [{"person": "-oProxy"}, {"person": "An na"}, {"ticket": "../x"}])
def test_the_helper_takes_no_other_names_as_a_command(bad: dict[str, str]) -> None:
    fields = {"ticket": TICKET, "dataset": "tank", "person": "anna", **bad}
    with pytest.raises(msgspec.ValidationError):
        decode(encode(ReceiveFiles(**fields)))
    with pytest.raises(msgspec.ValidationError):
        decode(encode(ForgetUpload(dataset="tank", folder="../x", upload=UPLOAD)))
