"""Rights of the folders of a dataset: set, read back, applied, and how what cannot be is refused."""

from __future__ import annotations

import msgspec
import pytest

from host.base import CommandFailed
from host.commands.closed import decode, encode
from host.commands.shares.rights import ApplyRights, ReadRightsReport, SetFolderRights, StopApplyingRights
from host.files.answers import Applied, FolderRights
from host.probe.files import NoFiles
from host.probe.shares.rights import read_rights, read_run
from tests.contract.bench import Bench

LIST = "user::rwx,user:30000:rwx,group::---,group:35001:r-x,mask::rwx,other::---"


def run_of(name: str) -> str:
    return f"{int.from_bytes(name.encode(), 'big') % (1 << 64):016x}"


def test_a_new_dataset_has_permission_bits_alone(tank: Bench) -> None:
    found = read_rights(tank.host, tank.fresh(), "")
    assert found == FolderRights(owner=0, group=0, access="user::rwx,group::r-x,other::r-x")


@pytest.mark.core
def test_what_is_set_is_read_back(tank: Bench) -> None:
    name = tank.fresh()
    tank.host.run(SetFolderRights(dataset=name, owner=0, group=100, acl=LIST))
    assert read_rights(tank.host, name, "") == FolderRights(owner=0, group=100, access=LIST, default=LIST)


def test_a_list_without_names_becomes_permission_bits(tank: Bench) -> None:
    name, plain = tank.fresh(), "user::rwx,group::r-x,other::---"
    tank.host.run(SetFolderRights(dataset=name, owner=0, group=0, acl=plain))
    assert read_rights(tank.host, name, "") == FolderRights(owner=0, group=0, access=plain, default=plain)


def test_without_acls_nothing_is_set(tank: Bench) -> None:
    name = tank.fresh(acltype="off")
    refused = tank.refuse(SetFolderRights(dataset=name, owner=0, group=0, acl=LIST))
    assert (refused.exit, refused.stderr) == (3, "Operation not supported.\n")
    assert read_rights(tank.host, name, "").default is None


def test_what_is_not_there_is_reported(tank: Bench) -> None:
    name = tank.fresh()
    for dataset, path, code in ((name, "gone", "not-found"), (f"{name}/gone", "", "not-mounted")):
        with pytest.raises(NoFiles) as none:
            read_rights(tank.host, dataset, path)
        assert none.value.problem.code == code
        refused = tank.refuse(SetFolderRights(dataset=dataset, path=path, owner=0, group=0, acl=LIST))
        assert refused.exit == 3


def test_rights_are_applied_in_a_unit_and_reported_in_a_report(tank: Bench) -> None:
    name = tank.fresh()
    run = run_of(name)
    tank.host.run(ApplyRights(run=run, dataset=name, acl=LIST))
    first = read_run(tank.host, run)
    assert first is not None
    assert (first.dataset, first.path, first.access) == (name, "", LIST)
    tank.host.run(StopApplyingRights(run=run))  # on a real machine it has ended by then, as nothing is there
    last = read_run(tank.host, run)
    assert last is not None
    assert last.verdict in {"done", "stopped"}
    assert read_rights(tank.host, name, "").access == LIST


def test_a_folder_that_is_gone_is_refused_with_the_reason(tank: Bench) -> None:
    name = tank.fresh()
    refused = tank.refuse(ApplyRights(run=run_of(f"{name}x"), dataset=name, path="gone", acl=LIST))
    assert refused.stderr.endswith("There is nothing at this path.\n")


def test_no_run_is_known_without_its_report(tank: Bench) -> None:
    assert read_run(tank.host, "f" * 16) is None
    report = tank.host.run(ReadRightsReport(run="f" * 16))
    assert report.exit == 1
    with pytest.raises(msgspec.DecodeError):
        msgspec.json.decode(report.stdout, type=Applied)


def test_the_helper_takes_no_list_that_is_none(tank: Bench) -> None:
    wrong = SetFolderRights(dataset=tank.fresh(), owner=0, group=0, acl="user::rwx --help")
    with pytest.raises(msgspec.ValidationError):
        decode(encode(wrong))
    nobody = SetFolderRights(dataset=tank.fresh(), owner=0, group=0, acl="other::---")
    with pytest.raises(CommandFailed):
        tank.host.run(nobody)
