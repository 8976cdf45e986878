"""Files of datasets: what is reported of them, and how impossible requests are refused.

No command writes a file; what happens to content is tried by a drill of the lab (tests/lab/test_files.py).
"""

from __future__ import annotations

import msgspec
import pytest

from host.base import CommandFailed, HostUnavailable
from host.commands.closed import decode, encode
from host.commands.datasets.snapshots import ZfsSnapshot
from host.commands.datasets.zfs import ZfsUnmount
from host.commands.files import (
    HandOutFile,
    ListRestores,
    MeasureFiles,
    ReadFolder,
    ReadRestore,
    RestoreFile,
    SeeVersions,
    StopRestore,
)
from host.files.answers import FolderPage, Measure, Sightings
from host.probe.files import NoFiles, read_files, read_restore
from tests.contract.bench import Bench


def problem(tank: Bench, command: ReadFolder | MeasureFiles) -> str:
    with pytest.raises(NoFiles) as none:
        read_files(tank.host, command, FolderPage)
    return none.value.problem.code


@pytest.mark.core
def test_an_empty_dataset_is_an_empty_folder_now_and_in_its_snapshot(tank: Bench) -> None:
    name = tank.fresh()
    tank.host.run(ZfsSnapshot(names=(f"{name}@one",)))
    for tag in (None, "one"):
        page = read_files(tank.host, ReadFolder(dataset=name, tag=tag), FolderPage)
        assert (page.entries, page.count, page.following) == ((), 0, None)


def test_what_is_not_there_is_reported_by_a_code(tank: Bench) -> None:
    name = tank.fresh()
    assert problem(tank, ReadFolder(dataset=name, path="gone")) == "not-found"
    assert problem(tank, ReadFolder(dataset=name, tag="gone")) == "no-snapshot"
    assert problem(tank, ReadFolder(dataset=f"{name}/gone")) == "not-mounted"


def test_no_path_leads_elsewhere(tank: Bench) -> None:
    name = tank.fresh()
    tank.host.run(ZfsSnapshot(names=(f"{name}@one",)))
    for path in (".zfs", ".zfs/snapshot/one", "%2e%2e", "a%2F..%2F..", "%00"):
        assert problem(tank, ReadFolder(dataset=name, path=path)) == "not-found"


def test_the_helper_takes_no_path_upwards_as_a_command(tank: Bench) -> None:
    upwards = ReadFolder(dataset=tank.fresh(), path="../etc")
    with pytest.raises(msgspec.ValidationError):
        decode(encode(upwards))
    if tank.host.kind != "simulated":  # which is given values that were checked before
        with pytest.raises(HostUnavailable, match="no command"):
            tank.host.run(upwards)


def test_an_unmounted_dataset_says_so(tank: Bench) -> None:
    name = tank.fresh()
    tank.host.run(ZfsSnapshot(names=(f"{name}@one",)))
    tank.host.run(ZfsUnmount(name=name))
    assert problem(tank, ReadFolder(dataset=name)) == "not-mounted"
    assert problem(tank, ReadFolder(dataset=name, tag="one")) == "not-mounted"


def test_a_path_is_searched_for_in_every_snapshot(tank: Bench) -> None:
    name = tank.fresh()
    for tag in ("one", "two"):
        tank.host.run(ZfsSnapshot(names=(f"{name}@{tag}",)))
    command = SeeVersions(dataset=name, path="gone", tags=("two", "one", "never"), live=True)
    seen = read_files(tank.host, command, Sightings).seen
    assert [(one.tag, one.entry, one.problem) for one in seen] == [
        (None, None, None), ("two", None, None), ("one", None, None), ("never", None, "no-snapshot"),
    ]  # fmt: skip


def test_safety_snapshots_are_counted_by_their_number(tank: Bench) -> None:
    name = tank.fresh()
    for tag in ("kept-2", "kept-11", "kept-x", "other-99"):
        tank.host.run(ZfsSnapshot(names=(f"{name}@{tag}",)))
    command = MeasureFiles(dataset=name, tag="kept-2", path="", folder="", name="x", kept_as="kept")
    measure = read_files(tank.host, command, Measure)
    assert (measure.last_kept, measure.target, measure.folder_exists) == (11, None, True)
    assert (measure.files, measure.size_bytes, measure.mounts) == (0, 0, 0)


def test_a_restore_of_nothing_fails_with_the_reason(tank: Bench) -> None:
    name, restore = tank.fresh(), "00000000c0472ac7"
    tank.host.run(ZfsSnapshot(names=(f"{name}@one",)))
    command = RestoreFile(restore=restore, dataset=name, tag="one", path="gone", folder="", name="back")
    with pytest.raises(CommandFailed) as failed:
        tank.host.run(command)
    assert failed.value.result.stderr.rstrip().endswith("There is nothing at this path.")
    report = read_restore(tank.host, restore)
    assert report is not None and (report.verdict, report.words) == (
        "failed",
        "There is nothing at this path.",
    )
    assert tank.host.run(ListRestores()).stdout.strip() == "[]"
    tank.host.run(StopRestore(restore=restore))


def test_names_that_look_like_variables_reach_the_program_as_they_are(tank: Bench) -> None:
    name, restore = tank.fresh(), "00000000c0472ac8"
    tank.host.run(ZfsSnapshot(names=(f"{name}@one",)))
    path, back = "a$$b/${PATH}", "$HOME ${PATH} $$"
    with pytest.raises(CommandFailed):
        tank.host.run(RestoreFile(restore=restore, dataset=name, tag="one", path=path, folder="", name=back))
    report = read_restore(tank.host, restore)
    assert report is not None
    assert (report.source, report.target) == (path, back)


def test_a_restore_that_never_was_is_not_known(tank: Bench) -> None:
    assert tank.host.run(ReadRestore(restore="ffffffffffffffff")).exit == 1
    assert read_restore(tank.host, "ffffffffffffffff") is None


def test_what_is_no_file_is_not_handed_out(tank: Bench) -> None:
    name = tank.fresh()
    for path in ("gone", ""):
        with pytest.raises(CommandFailed) as failed:
            tank.host.run(HandOutFile(ticket="c0" * 16, dataset=name, path=path))
        why = "nothing at this path" if path else "no regular file"
        assert why in failed.value.result.stderr
