"""What the program that moves /var and /home reads and writes: files, lists of zpool, and what it runs."""

from __future__ import annotations

from pathlib import Path

import pytest

from host.base import CommandFailed, CommandTimedOut, HostError, Result
from host.commands.system.moved_state import (
    FAILED,
    FOLDER,
    NOT_RETURNED,
    ORDER,
    PLACE,
    RETURN,
    TOLD,
    WANTED,
    WantState,
    dataset_of,
)
from host.commands.system.state_program import (
    BindFolder,
    ExchangeFolders,
    FindDataset,
    ImportedPools,
    Mirror,
    MountDataset,
    RemoveFolders,
    Unmount,
)
from host.commands.system.syncing import SyncFileSystem
from host.programs.moved_state.__main__ import USAGE, main
from host.programs.moved_state.disk import Disk
from host.programs.moved_state.places import KEPT, Places
from host.programs.moved_state.pool import Unusable, find_pool
from host.programs.moved_state.report import last_words
from host.programs.moved_state.wanted import BadFile, Wanted, read_wanted
from tests.host.programs.state_bench import GUID, Machine


def test_the_machine_s_own_places_are_those_that_the_console_knows() -> None:
    places = Places()
    ours = (places.wanted, places.order, places.place, places.way_back, places.failed)
    assert [str(path) for path in ours] == [WANTED, ORDER, PLACE, RETURN, FAILED]
    assert (str(places.etc), str(places.ran_here)) == (FOLDER, "/etc/nasweb/state/ran-here")
    assert (str(places.report), str(places.not_returned)) == (TOLD, NOT_RETURNED)
    assert (str(places.own), str(places.new)) == ("/run/nasweb-root", "/run/nasweb-new")
    assert (str(places.folder("var")), str(places.beside("home"))) == ("/var", "/.nasweb-home")
    assert [str(path) for path in places.markers("var")] == [
        "/var/.nasweb-complete", "/.nasweb-var/.nasweb-complete",
    ]  # fmt: skip


def test_what_belongs_to_usr_and_boot_stays_with_them() -> None:
    assert set(KEPT) == {
        "lib/dpkg", "lib/apt", "lib/dkms", "lib/ucf", "lib/pam", "lib/initramfs-tools", "lib/shim-signed",
        "lib/systemd/deb-systemd-helper-enabled",
    }  # fmt: skip


MIRROR = (
    "rsync --archive --hard-links --acls --xattrs --sparse --numeric-ids --one-file-system --modify-window=-1"
)


@pytest.mark.parametrize(("command", "typed"), [
    (ImportedPools(), "zpool list -H -o guid,health,readonly,name"),
    (FindDataset(name=dataset_of("tank", "var")), "zfs list -H -o name tank/.nasweb-state/var"),
    (MountDataset(name="tank/a", folder="/var"), "mount -t zfs tank/a /var"),
    (BindFolder(source="/a", folder="/b"), "mount --bind /a /b"),
    (BindFolder(source="/", folder="/b", private=True), "mount --bind --make-private / /b"),
    (Unmount(folder="/b"), "umount /b"),
    (Unmount(folder="/b", lazy=True), "umount --lazy /b"),
    (Mirror(source="/home", target="/n/home", delete=True), f"{MIRROR} --delete /home/ /n/home/"),
    (
        Mirror(source="/var/lib", target="/n/lib", delete=True, checksum=True, leave_out=("dpkg", "apt")),
        f"{MIRROR} --delete --checksum --exclude=/dpkg --exclude=/apt /var/lib/ /n/lib/",
    ),
    (
        Mirror(source="/n/var", target="/.nasweb-var", link_dest="/var", leave_out=("lib/dpkg",)),
        f"{MIRROR} --link-dest=/var --exclude=/lib/dpkg /n/var/ /.nasweb-var/",
    ),
    (ExchangeFolders(one="/.nasweb-var", other="/var"), "mv --exchange -T /.nasweb-var /var"),
    (RemoveFolders(folders=("/a", "/b")), "rm -rf --one-file-system /a /b"),
    (SyncFileSystem(folder="/etc/nasweb/state"), "sync -f /etc/nasweb/state"),
])  # fmt: skip
def test_what_it_runs(command: Mirror, typed: str) -> None:
    assert " ".join(command.argv()) == typed
    assert command.reads is (typed.split()[1] == "list")


def test_nothing_that_copies_is_stopped_before_systemd_does_it() -> None:
    # TimeoutStartSec of nasweb-state-move.service; the unit of the first copy has none.
    assert min(one.timeout_s for one in (Mirror, MountDataset, Unmount, RemoveFolders)) >= 4 * 3600
    assert Mirror.timeout_s >= 7 * 86400


def test_what_the_console_writes_is_read(tmp_path: Path) -> None:
    file = tmp_path / "wanted"
    file.write_text(WantState(pool="tank", guid=GUID, what=("var", "home")).input())
    assert read_wanted(file) == Wanted(GUID, ("var", "home"))
    file.write_text(f"guid={GUID}\nwhat=home\nsince=2026-11-02T03:04:05Z\nsaid=a=b\nnoise\n")
    assert read_wanted(file) == Wanted(GUID, ("home",), "2026-11-02T03:04:05Z")
    file.write_bytes(f"pool=\xff\nguid={GUID}\nwhat=var var\n".encode("latin-1"))
    assert read_wanted(file) == Wanted(GUID, ("var",))


@pytest.mark.parametrize(("text", "fault"), [
    ("", "is not complete."),
    (f"guid={GUID}\n", "is not complete."),
    (f"guid={GUID}\nwhat= \n", "is not complete."),
    ("what=var\n", "is not complete."),
    (f"what=var\nguid={GUID}", "is not complete."),  # cut off: nobody knows whether more digits came
    (f"guid={GUID}\nwhat=var etc\n", "names no folder of ours: etc"),
    (f"guid={GUID}\nwhat=var/../etc\n", "names no folder of ours: var/../etc"),
    (f"guid={GUID}\nwhat=/var\n", "names no folder of ours: /var"),
    ("guid=tank\nwhat=var\n", "names no pool by its number: tank"),
    ("guid=0\nwhat=var\n", "names no pool by its number: 0"),
    (f"guid={GUID}0123\nwhat=var\n", f"names no pool by its number: {GUID}0123"),
    (f"guid={GUID} \nwhat=var\n", f"names no pool by its number: {GUID} "),
    ("guid=١٢٣\nwhat=var\n", "names no pool by its number: ١٢٣"),
])  # fmt: skip
def test_a_file_that_says_something_else_is_none(text: str, fault: str, tmp_path: Path) -> None:
    file = tmp_path / "place"
    file.write_text(text)
    with pytest.raises(BadFile) as raised:
        read_wanted(file)
    assert str(raised.value) == f"{file} {fault}"


@pytest.mark.parametrize("action", ["copy", "move", "start"])
def test_by_a_file_that_is_none_nothing_is_done(
    action: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    machine = Machine(tmp_path)
    for file in (machine.places.wanted, machine.places.order, machine.places.place):
        if action != "move" or file != machine.places.place:
            file.write_text("guid=1\nwhat=boot\n")
    before = machine.orders()
    assert machine.start_program(action) == 1
    assert "names no folder of ours: boot\n" in capsys.readouterr().err
    assert (machine.steps, machine.orders(), machine.report()) == ([], before, {})


def test_a_file_that_is_missing_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    machine = Machine(tmp_path)
    assert (machine.start_program("copy"), machine.start_program("start")) == (1, 1)
    assert "wanted" in capsys.readouterr().err
    assert machine.start_program("move") == 0  # nothing is ordered


@pytest.mark.parametrize("words", [[], ["stop"], ["--help"], [""]])
def test_there_are_three_things_to_do(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words) == 2
    assert capsys.readouterr().err == f"{USAGE}\n"


def test_a_pool_is_found_by_its_number(tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    wanted = Wanted(GUID, ("var", "home"))
    assert find_pool(machine, wanted) == "tank"
    assert machine.steps[1:] == [
        "zfs list -H -o name tank/.nasweb-state/var", "zfs list -H -o name tank/.nasweb-state/home",
    ]  # fmt: skip
    # Larger than what a double holds: it is no number here.
    with pytest.raises(Unusable):
        find_pool(machine, Wanted(f"{int(GUID) + 1}", ("var",)))


def unusable(machine: Machine) -> str:
    with pytest.raises(Unusable) as raised:
        find_pool(machine, Wanted(GUID, ("var", "home")))
    assert str(raised.value) == f"The pool cannot be used: {raised.value.reason}."
    return raised.value.reason


def test_why_a_pool_cannot_be_used(tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    (machine.pool / "home").rmdir()
    assert unusable(machine) == "dataset-missing"
    machine.read_only = "on"
    assert unusable(machine) == "pool-read-only"
    for machine.health in ("SUSPENDED", "FAULTED", "UNAVAIL"):
        assert unusable(machine) == "pool-suspended"
    machine.pool_missing = True
    assert unusable(machine) == "pool-missing"
    machine.fails = {"zpool list": Result(exit=1, stderr="The ZFS modules are not loaded.\n")}
    assert unusable(machine) == "pool-missing"
    machine.fails, machine.pool_missing, machine.read_only, machine.health = {}, False, "off", "DEGRADED"
    (machine.pool / "home").mkdir()
    assert find_pool(machine, Wanted(GUID, ("var", "home"))) == "tank"


def test_a_pool_may_have_got_a_name_with_spaces(tmp_path: Path) -> None:
    class Renamed(Machine):
        def run(self, command: object) -> Result:
            named = isinstance(command, ImportedPools)
            return Result(exit=0, stdout=f"{GUID}\tONLINE\toff\told tank\n" if named else "")

    assert find_pool(Renamed(tmp_path), Wanted(GUID, ("var",))) == "old tank"


@pytest.mark.parametrize(("error", "words"), [
    (CommandFailed(ImportedPools(), Result(exit=1, stderr="one\ntwo\n\n", stdout="three\n")), "two"),
    (CommandFailed(ImportedPools(), Result(exit=1, stdout="three\nfour")), "four"),
    (CommandFailed(ImportedPools(), Result(exit=1)), ""),
    (
        CommandTimedOut(ImportedPools(), Result(exit=-9, stderr="so far\n")),
        "zpool took longer than 60 s and was stopped.",
    ),
    (OSError(30, "Read-only file system", "/run/x"), "/run/x: Read-only file system"),
    (HostError("zpool said\ntoo much"), "too much"),
])  # fmt: skip
def test_the_last_line_says_why(error: Exception, words: str) -> None:
    assert last_words(error) == words


def test_files_are_written_as_they_are_on_a_disk(tmp_path: Path) -> None:
    disk, file = Disk(), tmp_path / "a/b/file"
    disk.make_folder(file.parent)
    disk.make_folder(file.parent)
    disk.write(file, b"one\n")
    disk.append(file, b"two\n")
    disk.sync_file(file)
    other = tmp_path / "other"
    disk.write(other)
    assert other.read_bytes() == b""
    disk.rename(file, other)
    assert (other.read_bytes(), file.exists()) == (b"one\ntwo\n", False)
    disk.remove(file, other)
    assert not other.exists()
    with pytest.raises(OSError, match="No such file"):
        disk.rename(file, other)


def test_everything_is_synced_by_the_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    monkeypatch.setattr("os.sync", lambda: asked.append("sync"))
    Disk().sync()
    assert asked == ["sync"]
