"""The program that speaks to repositories: what restic says is read, confined and put into words.

The transcripts are what restic 0.18.0, Debian 13's, said with `--json`.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest

from host.base import Result
from host.commands.base import Command
from host.files import acl
from host.programs.backup import asking
from host.programs.backup.asking import _moment
from host.programs.backup.checking import check, part
from host.programs.backup.reaching import Reached, mount_point, ssh
from host.programs.backup.restic import Ended, Restic
from host.programs.backup.restoring import WantedRestore, clean, restore
from host.programs.backup.run_report import BackupReport
from host.programs.backup.saving import Saving, Wanted, times
from host.repositories.settings import LocalFolder, RepositorySettings, SftpServer
from host.repositories.words import RepositoryProblem
from tests.host.files.bench import root_at

SAID = Path(__file__).parents[2] / "transcripts" / "restic"
SETTINGS = RepositorySettings(local=LocalFolder(path="/mnt/usb/backups"))


def text(name: str) -> str:
    return (SAID / name).read_text()


class Fake:
    """restic, as it answers to its subcommands; of a list one after the other."""

    def __init__(self, **answers: tuple[int, str, str] | list[tuple[int, str, str]]) -> None:
        self.answers, self.ran = answers, list[tuple[str, ...]]()

    def __call__(
        self,
        argv: tuple[str, ...],
        *,
        environment: dict[str, str],
        line: Callable[[bytes], None],
        asked: Callable[[], bool],
        said: Callable[[bytes], None] | None = None,
    ) -> Result:
        words = argv[argv.index("restic") + 1 :]
        self.ran.append(words)
        found = self.answers.get(words[2], (0, "", ""))
        status, stdout, stderr = found.pop(0) if isinstance(found, list) else found
        for one in stdout.encode().splitlines():
            line(one)
        return Result(exit=status, stderr=stderr)


def restic(fake: Fake, folder: Path | None = None) -> Restic:
    to = Reached(SETTINGS, ("--repo=/x", "--json"), {}, folder)
    return Restic(to, lambda: False, fake)


@pytest.fixture
def report(tmp_path: Path) -> BackupReport:
    return BackupReport(tmp_path, run="a" * 16, action="backup", clock=lambda: 0.0)


@pytest.mark.parametrize(
    ("status", "said", "code"),
    [
        (10, "not-found.stderr", "not-found"), (12, "wrong-password.stderr", "wrong-password"),
        (11, "wrong-password.stderr", "locked"), (1, "not-found.stderr", "other"), (99, "", "other"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_told_by_the_status_alone(status: int, said: str, code: str) -> None:
    fake = Fake(snapshots=(status, "", text(said) if said else ""))
    with pytest.raises(RepositoryProblem) as wrong:
        asking.snapshots(restic(fake))
    assert wrong.value.code == code


def test_a_server_that_takes_too_long_is_called_slow() -> None:
    late = Restic(
        Reached(SETTINGS, ("--repo=/x", "--json"), {}, None), lambda: True, Fake(snapshots=(130, "", ""))
    )
    with pytest.raises(RepositoryProblem, match="is too slow: it had not done what was asked in time"):
        asking.snapshots(late)


def test_snapshots_and_folders_are_read() -> None:
    fake = Fake(snapshots=(0, text("snapshots.json"), ""), ls=(0, text("ls.jsonl"), ""))
    found = asking.snapshots(restic(fake))
    assert [(one.dataset, one.backup, one.host) for one in found.results] == [("tank/photos", "b", "nas")]
    inside = asking.folder(restic(fake), found.results[0].id, "")
    assert [(one.name, one.path, one.size_bytes) for one in inside.results] == [("a.txt", "a.txt", 6)]


def test_hostile_names_lead_nowhere() -> None:
    lines = [
        '{"message_type":"node","struct_type":"node","name":"..","type":"dir","path":"/.."}',
        '{"message_type":"node","struct_type":"node","name":"a\\nb","type":"file","path":"/a\\nb"}',
        '{"message_type":"node","struct_type":"node","name":"x\\ufffd","type":"file","path":"/x\\ufffd"}',
        '{"message_type":"node","struct_type":"node","name":"deep","type":"file","path":"/etc/deep"}',
    ]
    inside = asking.folder(restic(Fake(ls=(0, "\n".join(lines), ""))), "a" * 8, "")
    assert {one.name: one.path for one in inside.results} == {"..": None, "a%0Ab": "a%0Ab", "x�": None}


def test_damage_is_told_by_the_summary(report: BackupReport, tmp_path: Path) -> None:
    fake = Fake(check=(1, text("check-damaged.jsonl"), text("check-damaged.stderr")))
    check(restic(fake), report, tmp_path / "turn", 5)
    assert (report.content.verdict, report.content.code) == ("failed", "damaged")
    assert not (tmp_path / "turn").exists()


FAULTS = (1, '{"message_type":"summary","num_errors":3,"broken_packs":null}', "")
AWAY = (1, "", '{"message_type":"exit_error","code":1,"message":"Fatal: connection refused"}')
CLEAN = (0, '{"message_type":"summary","num_errors":0}', "")


def test_a_server_that_went_away_in_the_middle_of_a_check_is_no_damage(
    report: BackupReport, tmp_path: Path
) -> None:
    for answers in ([FAULTS], [FAULTS, FAULTS]):
        config = [CLEAN, AWAY] if len(answers) > 1 else [AWAY]
        with pytest.raises(RepositoryProblem) as wrong:
            check(restic(Fake(check=[*answers], cat=config)), report, tmp_path / "turn", 5)
        assert wrong.value.code == "other"


def test_what_could_not_be_fetched_once_is_read_again(report: BackupReport, tmp_path: Path) -> None:
    fake = Fake(check=[FAULTS, CLEAN], cat=(0, "{}", ""))
    check(restic(fake), report, tmp_path / "turn", 5)
    assert report.content.verdict == "good"
    assert len({one for one in fake.ran if "check" in one}) == 1, "the same part"


def test_what_cannot_be_read_although_the_server_answers_is_damage(
    report: BackupReport, tmp_path: Path
) -> None:
    check(restic(Fake(check=FAULTS, cat=(0, "{}", ""))), report, tmp_path / "turn", 5)
    assert (report.content.verdict, report.content.code) == ("failed", "damaged")


def test_all_parts_take_turns(report: BackupReport, tmp_path: Path) -> None:
    assert [part(turn, 5) for turn in (0, 1, 19, 20)] == ["1/20", "2/20", "20/20", "1/20"]
    assert (part(0, 100), part(3, 1)) == ("1/1", "4/100")
    for _ in range(2):
        check(restic(fake := Fake()), report, tmp_path / "turn", 50)
    assert "--read-data-subset=2/2" in fake.ran[-1]
    assert report.content.words == "The structure is sound, and part 2 of 2 of the data was read back."


def save(fake: Fake, report: BackupReport, folder: Path, *, empty: bool = False) -> None:
    @contextmanager
    def mounted(name: str) -> Iterator[Path]:
        (folder / name).mkdir(parents=True, exist_ok=True)
        if not empty:
            (folder / name / "file").write_bytes(b"x")
        yield folder / name

    wanted = Wanted("b", "nas", ("tank/photos@x",), ("*.tmp",), ("--keep-daily=7",), folder / "pruned")
    made = {"tank/photos@x": datetime(2026, 11, 25, 1, 30, tzinfo=UTC)}
    Saving(wanted, restic(fake), report, mounted=mounted).carry_out(made, folder / "exclusions")


def test_a_backup_notes_what_it_stored_and_thins_out(report: BackupReport, tmp_path: Path) -> None:
    fake = Fake(backup=(0, text("backup.jsonl"), ""))
    save(fake, report, tmp_path)
    assert [words[2] for words in fake.ran] == ["unlock", "backup", "forget", "prune"]
    assert "--time=2026-11-25 01:30:00" in fake.ran[1]
    assert (tmp_path / "exclusions").read_text() == "*.tmp\n"
    assert (report.content.verdict, report.content.files) == ("good", 1)
    assert [(one.dataset, len(one.snapshot)) for one in report.content.saved] == [("tank/photos", 64)]
    save(again := Fake(backup=(0, text("backup.jsonl"), "")), report, tmp_path)
    assert [words[2] for words in again.ran] == ["unlock", "backup", "forget"]  # pruned once a week


def test_of_an_empty_dataset_restic_is_not_asked(report: BackupReport, tmp_path: Path) -> None:
    """It ends with “snapshot is empty”, as a real machine showed."""
    save(fake := Fake(), report, tmp_path, empty=True)
    assert [words[2] for words in fake.ran] == ["unlock", "forget", "prune"]
    assert report.content.verdict == "good"
    assert [(one.dataset, one.snapshot) for one in report.content.saved] == [("tank/photos", "")]


def test_files_that_cannot_be_read_make_it_incomplete(report: BackupReport, tmp_path: Path) -> None:
    error = '{"message_type":"error","error":{"message":"read failed"},"during":"archival","item":"/a"}\n'
    save(Fake(backup=(3, text("backup.jsonl"), error)), report, tmp_path)
    assert (report.content.verdict, report.content.skipped, report.content.skipped_count) == (
        "incomplete", ("/a",), 1,
    )  # fmt: skip


def test_a_repository_that_cannot_be_thinned_out_has_the_backup_all_the_same(
    report: BackupReport, tmp_path: Path
) -> None:
    save(Fake(backup=(0, text("backup.jsonl"), ""), forget=(1, "", "403 Forbidden\n")), report, tmp_path)
    assert (report.content.verdict, report.content.code) == ("good", "not-thinned")
    assert report.content.words.endswith("It failed, and restic says: 403 Forbidden")


def test_what_comes_back_has_no_devices_and_no_rights_of_programs(tmp_path: Path) -> None:
    folder = tmp_path / "back"
    folder.mkdir()
    (folder / "program").write_text("x")
    (folder / "program").chmod(0o6755)
    os.mkfifo(folder / "pipe")
    (folder / "link").symlink_to("/etc/passwd")
    opened = os.open(folder, os.O_RDONLY)
    try:
        assert clean(opened) == 2
    finally:
        os.close(opened)
    assert sorted(one.name for one in folder.iterdir()) == ["link", "program"]
    assert stat.S_IMODE((folder / "program").stat().st_mode) == 0o755


class Renaming:
    """restic, while somebody who may write to the folder gives the temporary name to another one."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def run(self, *_words: str, message: object = None) -> Ended:
        (temporary,) = self._folder.glob(".nasweb-restore-*")
        temporary.rename(self._folder / "mine")
        temporary.symlink_to("bob")
        return Ended(exit=0, summary={}, unread=(), unread_count=0, said="")

    def asked(self) -> bool:
        return False

    def check(self, ended: Ended) -> None:
        assert ended.exit == 0


def test_who_renames_the_new_folder_meanwhile_gains_nothing(
    report: BackupReport, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("host.system.mounts.show_at", lambda inner, at: None)
    monkeypatch.setattr("host.system.mounts.unmount", lambda at: None)
    shared = tmp_path / "shared"
    (shared / "bob").mkdir(parents=True)
    (shared / "bob").chmod(0o700)
    (shared / "bob" / "letter").write_text("private")
    wanted = WantedRestore(stored="a", path="", folder="", name="back")
    with root_at(shared) as live, pytest.raises(RepositoryProblem, match="renamed the new folder"):
        restore(Renaming(shared), report, live, wanted, tmp_path)  # type: ignore[arg-type]
    assert stat.S_IMODE((shared / "bob").stat().st_mode) == 0o700
    assert (shared / "bob" / "letter").read_text() == "private"
    assert not (shared / "back").exists()


class Bringing(Renaming):
    """restic, which brings a folder with a file, both closed to others."""

    def run(self, *_words: str, message: object = None) -> Ended:
        (temporary,) = self._folder.glob(".nasweb-restore-*")
        (temporary / "docs").mkdir()
        (temporary / "docs" / "letter").write_text("private")
        (temporary / "docs" / "letter").chmod(0o660)
        (temporary / "docs").chmod(0o770)
        return Ended(exit=0, summary={}, unread=(), unread_count=0, said="")


@pytest.mark.parametrize(("path", "docs"), [("", "back/docs"), ("docs", "back")])
def test_what_had_no_access_list_takes_none_from_the_folder_that_it_comes_back_to(
    path: str, docs: str, report: BackupReport, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("host.system.mounts.show_at", lambda inner, at: None)
    monkeypatch.setattr("host.system.mounts.unmount", lambda at: None)
    live_folder = tmp_path / "live"
    live_folder.mkdir()
    open_to_all = acl.parse("user::rwx,user:30000:rwx,group::rwx,mask::rwx,other::---")
    os.setxattr(live_folder, acl.DEFAULT, acl.encoded(open_to_all))
    wanted = WantedRestore(stored="a", path=path, folder="", name="back")
    with root_at(live_folder) as live:
        restore(Bringing(live_folder), report, live, wanted, tmp_path)  # type: ignore[arg-type]
    for place in (live_folder / "back", live_folder / docs, live_folder / docs / "letter"):
        assert {acl.ACCESS, acl.DEFAULT}.isdisjoint(os.listxattr(place))
    assert stat.S_IMODE((live_folder / docs / "letter").stat().st_mode) == 0o660


def test_a_tree_without_an_end_is_refused(tmp_path: Path) -> None:
    folder = tmp_path
    for _ in range(260):
        folder /= "a"
    folder.mkdir(parents=True)
    opened = os.open(tmp_path, os.O_RDONLY)
    try:
        with pytest.raises(RepositoryProblem, match="More than 250 folders"):
            clean(opened)
    finally:
        os.close(opened)


@pytest.mark.parametrize(
    "answer",
    [
        "tank/photos@one\t1000\ntank/photos@two\t2000\n",
        # Of a property that anybody may have set: no row of its own.
        "tank/photos@one\t1000\ntank/photos@two\t2000\nx\ttank/photos@two\t4102444800\n",
    ],
)
def test_the_times_of_snapshots_are_those_of_zfs(answer: str) -> None:
    class Zfs:
        kind = "local"

        def run(self, command: Command) -> Result:
            assert command.argv()[:7] == ("zfs", "list", "-Hp", "-t", "snapshot", "-o", "name,creation")
            return Result(exit=0, stdout=answer)

    names = ("tank/photos@one", "tank/photos@two")
    found = times(Zfs(), names)
    assert [int(found[name].timestamp()) for name in names] == [1000, 2000]


def test_a_time_that_no_clock_shows_is_none() -> None:
    assert _moment("9999-12-31T23:59:59-01:00") is None
    assert _moment("2026-11-28T10:00:00+01:00") == "2026-11-28T09:00:00+00:00"


def test_ssh_knows_one_server_and_asks_nobody() -> None:
    server = SftpServer(
        host="backup.example.org", user="nas", path="photos", host_key=f"ssh-ed25519 {'A' * 68}"
    )
    words = ssh(server, Path("/k"), Path("/h")).split(" ")
    assert {"StrictHostKeyChecking=yes", "BatchMode=yes", "UserKnownHostsFile=/h"} <= set(words)
    assert words[-5:] == ["-l", "nas", "-s", "backup.example.org", "sftp"]


def test_the_mount_of_an_open_folder_is_found(tmp_path: Path) -> None:
    descriptor = os.open(tmp_path, os.O_RDONLY)
    try:
        assert str(tmp_path).startswith(mount_point(descriptor))
    finally:
        os.close(descriptor)


def test_what_it_tried_until_the_end_is_said() -> None:
    fake = Fake(snapshots=(1, "", text("no-bucket.stderr")))
    late = Restic(Reached(SETTINGS, ("--repo=/x", "--json"), {}, None), lambda: True, fake)
    with pytest.raises(
        RepositoryProblem, match=r"Its last answer: Stat: The specified bucket does not exist\."
    ):
        asking.snapshots(late)
