"""Backups to a repository in a folder of a dataset: made, opened, stored, checked, brought back, refused.

No command writes a file or spoils one: what happens to content, to damaged packs and to locks is tried by the
tests of the programs (tests/host/programs/test_backup.py).
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import pytest

from host.base import CommandFailed, Host
from host.commands.backups import (
    ForgetRepository,
    InitRepository,
    ListStoredFolder,
    ListStoredSnapshots,
    MakeRepositoryFolder,
    MakeRepositoryKey,
    OpenRepository,
    ReadRepositoryKey,
    RepositoryRetention,
    StartBackup,
    StartRepositoryCheck,
    StartStoredRestore,
    StopBackupRun,
    StoreRepositorySecret,
    WriteRepository,
)
from host.commands.base import Command
from host.commands.datasets.snapshots import ZfsListSnapshots, ZfsSnapshot
from host.commands.files import ReadFolder
from host.files.answers import FolderPage
from host.probe.backups import ask_repository, read_run
from host.probe.files import read_files
from host.repositories.answers import RepositorySnapshots, RunReport, StoredFolder
from host.repositories.places import SNAPSHOTS
from host.repositories.settings import LocalFolder, RepositorySettings
from host.repositories.words import RepositoryProblem
from tests.contract.bench import Bench
from tests.contract.secrets import PHRASE, WRONG_PHRASE, reference
from tests.contract.waiting import first_answer

_numbers = itertools.count(1)
BACKUP = "b" * 16


def key() -> str:
    """One that no other test has."""
    return f"c0{next(_numbers):014x}"


def ended(host: Host, run: str) -> RunReport:
    """How it ended."""

    def over() -> RunReport | None:
        report = read_run(host, run, "backup", "")
        return report if report.verdict is not None else None

    return first_answer(host, over, simulated_s=60)


def way(host: Host, path: str, secret: str = PHRASE) -> str:
    """Root's folder for a repository at that path."""
    found = key()
    host.run(MakeRepositoryFolder(repository=found))
    settings = RepositorySettings(local=LocalFolder(path=path))
    host.run(WriteRepository(repository=found, settings=settings))
    host.run(StoreRepositorySecret(repository=found, what="password", secret=reference(secret)))
    return found


@pytest.fixture
def place(tank: Bench) -> str:
    return f"/mnt/{tank.fresh()}/backups"


@pytest.fixture
def repository(host: Host, place: str) -> Iterator[str]:
    found = way(host, place)
    host.run(InitRepository(repository=found))
    yield found
    host.run(ForgetRepository(repository=found))


def why(host: Host, command: Command) -> str:
    with pytest.raises(CommandFailed) as failure:
        host.run(command)
    return failure.value.result.stderr


def test_of_an_empty_dataset_nothing_has_to_be_stored(tank: Bench, host: Host, repository: str) -> None:
    name, run = tank.fresh(), key()
    snapshot = f"{name}@{SNAPSHOTS}{BACKUP}-{run}"
    host.run(ZfsSnapshot(names=(snapshot,)))
    host.run(
        StartBackup(
            run=run, repository=repository, backup=BACKUP, host="nas", snapshots=(snapshot,),
            exclusions=(), retention=RepositoryRetention(last=1),
        )
    )  # fmt: skip
    report = ended(host, run)
    assert (report.verdict, report.code, report.words) == ("good", "", "1 dataset is in the repository.")
    assert [(one.dataset, one.snapshot) for one in report.saved] == [(name, "")]
    command = ListStoredSnapshots(repository=repository, key=key())
    assert ask_repository(host, command, RepositorySnapshots).results == ()


@pytest.mark.core
def test_what_is_stored_is_listed_checked_and_brought_back(tank: Bench, host: Host, repository: str) -> None:
    name, run, check, back = tank.fresh(), key(), key(), key()
    inside = way(host, f"/mnt/{name}/there")  # what no command could write otherwise: files in a dataset
    host.run(InitRepository(repository=inside))
    snapshot = f"{name}@{SNAPSHOTS}{BACKUP}-{run}"
    host.run(ZfsSnapshot(names=(snapshot,)))
    host.run(
        StartBackup(
            run=run, repository=repository, backup=BACKUP, host="nas", snapshots=(snapshot,),
            exclusions=("*.tmp",), retention=RepositoryRetention(last=1),
        )
    )  # fmt: skip
    report = ended(host, run)
    assert (report.verdict, report.code, report.words) == ("good", "", "1 dataset is in the repository.")
    assert [one.dataset for one in report.saved] == [name]
    # The report comes first, then the end of what was taken for it.
    assert first_answer(
        host, lambda: host.run(ZfsListSnapshots(datasets=(name,))).stdout == "" or None, limit_s=90
    )

    command = ListStoredSnapshots(repository=repository, key=key())
    stored = ask_repository(host, command, RepositorySnapshots)
    assert [(one.id, one.dataset, one.backup) for one in stored.results] == [
        (report.saved[0].snapshot, name, BACKUP)
    ]
    found = stored.results[0].id
    folder = ListStoredFolder(repository=repository, key=key(), snapshot=found)
    assert [one.name for one in ask_repository(host, folder, StoredFolder).results] == ["there"]

    host.run(StartRepositoryCheck(run=check, repository=repository, percent=100))
    report = ended(host, check)
    assert report.words == "The structure is sound, and part 1 of 1 of the data was read back."

    restore = StartStoredRestore(
        run=back, repository=repository, stored=found, path="", dataset=name, folder="", name="all"
    )
    host.run(restore)
    assert ended(host, back).words == "all is back."
    page = read_files(host, ReadFolder(dataset=name), FolderPage)
    assert [(one.name, one.kind) for one in page.entries] == [("all", "folder"), ("there", "folder")]
    again = key()
    host.run(StartStoredRestore(
        run=again, repository=repository, stored=found, path="", dataset=name, folder="", name="all"
    ))  # fmt: skip
    assert ended(host, again).code == "name-taken"
    host.run(ForgetRepository(repository=inside))


def test_a_second_repository_at_a_place_is_refused_and_the_first_opened(
    host: Host, repository: str, place: str
) -> None:
    second = way(host, place)
    assert "There is a repository at" in why(host, InitRepository(repository=second))
    host.run(OpenRepository(repository=second))
    host.run(ForgetRepository(repository=second))


def test_the_wrong_password_opens_nothing(host: Host, repository: str, place: str) -> None:
    other = way(host, place, WRONG_PHRASE)
    assert "does not open the repository" in why(host, OpenRepository(repository=other))
    with pytest.raises(RepositoryProblem) as wrong:
        ask_repository(host, ListStoredSnapshots(repository=other, key=key()), RepositorySnapshots)
    assert wrong.value.code == "wrong-password"
    host.run(ForgetRepository(repository=other))


def test_where_nothing_is_mounted_no_repository_is_made(host: Host) -> None:
    found = way(host, "/mnt/nothing-is-here/backups")
    assert why(host, InitRepository(repository=found))
    host.run(ForgetRepository(repository=found))


def test_a_folder_of_roots_is_made_once_and_its_key_shown(host: Host) -> None:
    found = key()
    host.run(MakeRepositoryFolder(repository=found))
    assert "File exists" in why(host, MakeRepositoryFolder(repository=found))
    assert host.run(ReadRepositoryKey(repository=found)).stdout == ""
    host.run(MakeRepositoryKey(repository=found))
    assert host.run(ReadRepositoryKey(repository=found)).stdout.startswith("ssh-ed25519 ")
    host.run(ForgetRepository(repository=found))
    assert host.run(ReadRepositoryKey(repository=found)).stdout == ""


def test_what_does_not_run_cannot_be_stopped(host: Host) -> None:
    assert host.run(StopBackupRun(run=key())).exit == 5
