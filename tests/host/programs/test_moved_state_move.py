"""`copy` while the machine works, and what the next start makes of it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from host.base import Result
from tests.host.programs.state_bench import GUID, WANTED, Machine, without_kept

RSYNC = (
    "rsync --archive --hard-links --acls --xattrs --sparse --numeric-ids --one-file-system --modify-window=-1"
)
KEPT = (
    "--exclude=/lib/dpkg --exclude=/lib/apt --exclude=/lib/dkms --exclude=/lib/ucf --exclude=/lib/pam "
    "--exclude=/lib/initramfs-tools --exclude=/lib/shim-signed "
    "--exclude=/lib/systemd/deb-systemd-helper-enabled"
)
NEW = "/run/nasweb-new"
ETC = "/etc/nasweb/state"
FIND = [
    "zpool list -H -o guid,health,readonly,name",
    "zfs list -H -o name tank/.nasweb-state/var",
    "zfs list -H -o name tank/.nasweb-state/home",
]
MOUNT = [
    f"mkdir {NEW}/var", f"mount -t zfs tank/.nasweb-state/var {NEW}/var",
    f"mkdir {NEW}/home", f"mount -t zfs tank/.nasweb-state/home {NEW}/home",
]  # fmt: skip
COPY_VAR = [
    f"{RSYNC} --delete {KEPT} /var/ {NEW}/var/",
    f"mkdir {NEW}/var/lib/dpkg", f"mkdir {NEW}/var/lib/apt",
]  # fmt: skip
COPY_HOME = f"{RSYNC} --delete /home/ {NEW}/home/"
UNMOUNT = [f"umount {NEW}/var", f"umount {NEW}/home"]
REASONS = ["pool-missing", "pool-suspended", "pool-read-only", "dataset-missing"]


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def spoil(machine: Machine, reason: str) -> None:
    """Let the pool be one that cannot be used."""
    match reason:
        case "pool-missing":
            machine.pool_missing = True
        case "pool-suspended":
            machine.health = "SUSPENDED"
        case "pool-read-only":
            machine.read_only = "on"
        case "dataset-missing":
            (machine.pool / "home").rename(machine.base / "destroyed")


def copied(machine: Machine) -> Machine:
    """The first copy has been made."""
    machine.want()
    assert machine.start_program("copy") == 0
    return machine


def test_the_first_copy_changes_the_datasets_alone_and_orders_the_last_one(machine: Machine) -> None:
    before = machine.files("var"), machine.files("home")
    machine.want()
    (machine.pool / "home/of-an-earlier-copy").write_text("x")
    assert machine.start_program("copy") == 0
    assert machine.steps == [
        *FIND, "rm -rf --one-file-system /.nasweb-var /.nasweb-home", *MOUNT, *COPY_VAR, COPY_HOME, *UNMOUNT,
        "sync", f"rename {ETC}/wanted {ETC}/order", f"sync -f {ETC}",
    ]  # fmt: skip
    assert machine.said == [
        "The first copy is made. The next start of the machine makes the last one, and switches."
    ]
    assert (machine.orders(), machine.places.order.read_text()) == ({"order"}, WANTED)
    assert (machine.files("var"), machine.files("home")) == before
    assert (machine.seen(), machine.report()) == ({}, {})
    # On the pool: all but what stays, for which there are folders to mount it in.
    assert sorted(path.name for path in (machine.pool / "var/lib").iterdir()) == ["apt", "db", "dpkg"]
    assert list((machine.pool / "var/lib/dpkg").iterdir()) == []
    assert sorted(path.name for path in (machine.pool / "home").iterdir()) == ["more", "note"]


def test_one_of_the_two_alone(machine: Machine) -> None:
    machine.want(f"pool=tank\nguid={GUID}\nwhat=home\n")
    assert machine.start_program("copy") == 0
    assert [step for step in machine.steps if "/var" in step.replace("/.nasweb-var", "")] == []
    machine.restart()
    assert machine.seen() == {"/run/nasweb-root": "/dev/md/root", "/home": "tank/.nasweb-state/home"}
    assert machine.said[-1] == "/home since 2026-11-24T03:04:05Z: on the pool tank."
    assert list((machine.pool / "var").iterdir()) == []


@pytest.mark.parametrize("reason", REASONS)
def test_no_copy_goes_to_a_pool_that_cannot_be_used(
    machine: Machine, reason: str, capsys: pytest.CaptureFixture[str]
) -> None:
    machine.want()
    spoil(machine, reason)
    assert machine.start_program("copy") == 1
    assert capsys.readouterr().err == f"The pool cannot be used: {reason}.\n"
    assert machine.orders() == {"wanted"}
    assert all(step.startswith(("zpool list", "zfs list")) for step in machine.steps)


@pytest.mark.parametrize(
    "fails", ["mount", f"rsync{RSYNC[5:]} --delete --exclude", COPY_HOME, f"umount {NEW}/home"]
)
def test_a_first_copy_that_fails_orders_nothing_and_leaves_nothing_mounted(
    machine: Machine, fails: str, capsys: pytest.CaptureFixture[str]
) -> None:
    machine.want()
    machine.fails = {fails: Result(exit=12, stderr="warning\nit does not work\n")}
    assert machine.start_program("copy") == 1
    assert capsys.readouterr().err.endswith("warning\nit does not work\n")
    assert (machine.orders(), machine.said) == ({"wanted"}, [])
    assert machine.seen() == (
        {f"{NEW}/home": "tank/.nasweb-state/home"} if fails.startswith("umount") else {}
    )


def test_files_that_vanish_while_the_machine_works_do_no_harm_to_the_first_copy(
    machine: Machine, capsys: pytest.CaptureFixture[str]
) -> None:
    machine.want()
    machine.fails = {"rsync": Result(exit=24, stderr="file has vanished: /var/log/a\n")}
    assert machine.start_program("copy") == 0
    assert machine.orders() == {"order"}
    assert capsys.readouterr().err == "file has vanished: /var/log/a\n" * 2
    # Nobody deletes anything during a start.
    machine.restart()
    assert (machine.orders(), machine.report()["why"]) == ({"failed"}, "copy-failed")


def test_a_copy_goes_on_where_an_earlier_one_was_cut_off_in_this_start(machine: Machine) -> None:
    machine.want()
    machine.fails = {"umount": Result(exit=32, stderr="target is busy.\n")}
    assert machine.start_program("copy") == 1
    assert len(machine.seen()) == 2
    machine.fails = {}
    assert machine.start_program("copy") == 0
    assert machine.steps[4:6] == UNMOUNT
    assert (machine.orders(), machine.seen()) == ({"order"}, {})


def test_a_copy_removes_what_a_way_back_has_left(machine: Machine) -> None:
    machine.want()
    (machine.places.root / ".nasweb-var").mkdir()
    (machine.places.root / ".nasweb-var/.nasweb-complete").touch()
    (machine.places.root / "home/.nasweb-complete").touch()
    assert machine.start_program("copy") == 0
    # A marker that was copied along would make a later way back bring nothing.
    assert machine.steps[3:8] == [
        "remove /.nasweb-var/.nasweb-complete", "sync -f /", "remove /home/.nasweb-complete", "sync -f /",
        "rm -rf --one-file-system /.nasweb-var /.nasweb-home",
    ]  # fmt: skip
    assert machine.beside() == set()
    assert not (machine.pool / "home/.nasweb-complete").exists()


def test_the_next_start_makes_the_last_copy_and_switches(machine: Machine) -> None:
    copied(machine)
    for name in ("failed", "ran-here"):
        (machine.places.etc / name).touch()
    (machine.places.root / "home/note").write_text("newest")
    (machine.places.root / "home/more").unlink()
    machine.restart()
    assert machine.steps == [
        *FIND, *MOUNT, *COPY_VAR,
        f"{RSYNC} --delete --checksum {KEPT.replace('/lib/', '/')} /var/lib/ {NEW}/var/lib/",
        COPY_HOME, *UNMOUNT, "sync",
        f"write {ETC}/place.new", f"fsync {ETC}/place.new", f"rename {ETC}/place.new {ETC}/place",
        f"remove {ETC}/order", f"remove {ETC}/failed", f"remove {ETC}/ran-here", f"sync -f {ETC}",
        # From here on nasweb-state.service.
        *FIND, "mkdir /run/nasweb-root", "mount --bind --make-private / /run/nasweb-root",
        "mount -t zfs tank/.nasweb-state/var /var", "mount -t zfs tank/.nasweb-state/home /home",
        "mount --bind /run/nasweb-root/var/lib/dpkg /var/lib/dpkg",
        "mount --bind /run/nasweb-root/var/lib/apt /var/lib/apt",
        "mkdir /run/nasweb-state", "write /run/nasweb-state/told.new",
        "rename /run/nasweb-state/told.new /run/nasweb-state/told",
    ]  # fmt: skip
    assert machine.said == ["/var and /home since 2026-11-24T03:04:05Z: on the pool tank."]
    assert machine.places.report.read_text() == "from=pool\nwhy=\nsaid=\n"
    assert machine.places.place.read_text() == f"{WANTED}since=2026-11-24T03:04:05Z\n"
    assert machine.orders() == {"place"}
    assert machine.files("home") == {"note": "newest"}
    # What belongs to /usr is the own disk's.
    assert machine.files("var") == {
        "log/a": "own", "lib/db": "own", "lib/dpkg/status": "own", "lib/apt/lists": "own",
    }  # fmt: skip
    own = machine.places.own
    (own / "var/lib/dpkg/status").write_text("upgraded")
    assert machine.files("var")["lib/dpkg/status"] == "upgraded"
    assert (own / "home/note").read_text() == "newest"


def test_a_database_that_changed_without_a_new_time_is_copied_by_the_start(machine: Machine) -> None:
    copied(machine)
    database = machine.places.root / "var/lib/db"
    before = database.stat()
    database.write_text("mmp")
    os.utime(database, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert (machine.pool / "var/lib/db").read_text() == "own"
    machine.restart()
    assert machine.files("var")["lib/db"] == "mmp"


@pytest.mark.parametrize("reason", REASONS)
def test_an_order_waits_for_its_pool(machine: Machine, reason: str) -> None:
    copied(machine)
    spoil(machine, reason)
    machine.restart()
    assert (machine.status, machine.orders()) == (0, {"order"})
    assert machine.places.report.read_text() == f"from=here\nwhy={reason}\nsaid=\n"
    assert machine.said == [f"/var is the one of the system's own disk: {reason} "]
    assert machine.files("home") == {"note": "own", "more": "own"}


NO_SPACE = Result(exit=11, stderr="No space left on device (28)\nrsync error (code 11)\n")


@pytest.mark.parametrize(
    "fails", ["mount", COPY_VAR[0], f"{RSYNC} --delete --checksum", COPY_HOME, f"umount {NEW}/home"]
)
def test_a_last_copy_that_fails_is_not_tried_again_and_says_why(machine: Machine, fails: str) -> None:
    copied(machine)
    before = machine.files("var"), machine.files("home")
    machine.fails_once = {fails: NO_SPACE}
    machine.restart()
    assert (machine.status, machine.orders()) == (0, {"failed"})
    assert machine.places.failed.read_text() == f"{WANTED}said=rsync error (code 11)\n"
    assert machine.report() == {"from": "here", "why": "copy-failed", "said": "rsync error (code 11)"}
    assert machine.said == ["/var is the one of the system's own disk: copy-failed rsync error (code 11)"]
    assert (machine.files("var"), machine.files("home"), machine.seen()) == (*before, {})
    machine.restart()
    assert (machine.orders(), machine.steps, machine.report()) == ({"failed"}, [], {})
    # Asked for again it goes well, and what failed is forgotten.
    copied(machine)
    machine.restart()
    assert (machine.orders(), machine.report()["from"]) == ({"place"}, "pool")


def test_a_folder_that_cannot_be_made_is_a_copy_that_failed(machine: Machine) -> None:
    copied(machine)
    new = machine.places.new
    for folder in ("var", "home"):
        (new / folder).rmdir()
    new.rmdir()
    new.touch()
    assert machine.start_program("move") == 0
    assert machine.report()["why"] == "copy-failed"
    assert machine.report()["said"] == f"{new}/var: Not a directory"


def test_where_only_the_last_sync_fails_it_has_been_moved(machine: Machine) -> None:
    copied(machine)
    machine.fails_once = {f"sync -f {ETC}": NO_SPACE}
    machine.restart()
    assert machine.places.failed.read_text() == "said=rsync error (code 11)\n"
    assert (machine.orders(), machine.report()["from"]) == ({"failed", "place"}, "pool")


def test_a_dataset_that_stays_busy_is_not_switched_to(machine: Machine) -> None:
    copied(machine)
    machine.fails = {f"umount {NEW}/var": Result(exit=32, stderr="umount: target is busy.\n")}
    machine.restart()
    assert (machine.orders(), machine.report()["said"]) == ({"failed"}, "umount: target is busy.")
    assert machine.seen() == {f"{NEW}/var": "tank/.nasweb-state/var"}  # the other one is not busy


def test_what_a_run_of_this_start_has_left_mounted_is_unmounted_first(machine: Machine) -> None:
    copied(machine)
    machine.fails = {"umount": Result(exit=32, stderr="umount: target is busy.\n")}
    assert machine.start_program("move") == 0
    assert (machine.orders(), len(machine.seen())) == ({"failed"}, 2)
    machine.fails = {}
    machine.places.failed.rename(machine.places.order)
    assert machine.start_program("move") == 0
    assert machine.steps[len(FIND) : len(FIND) + 2] == UNMOUNT
    assert (machine.orders(), machine.seen()) == ({"place"}, {})


def test_a_start_that_was_cut_off_after_the_last_rename_has_moved(machine: Machine) -> None:
    copied(machine)
    machine.restart()
    machine.places.order.write_text(WANTED)
    machine.places.failed.write_text(WANTED)
    (machine.pool / "home/note").write_text("written since")
    machine.restart()
    assert machine.orders() == {"place"}
    assert machine.files("home")["note"] == "written since"
    assert not any(step.startswith("rsync") for step in machine.steps)


def test_what_was_moved_and_is_ordered_back_at_once_comes_back(machine: Machine) -> None:
    copied(machine)
    machine.places.way_back.write_text("The next start copies back.\n")
    before = without_kept(machine.files("var"))
    machine.restart()
    assert (machine.orders(), machine.seen(), machine.beside()) == (set(), {}, set())
    assert without_kept(machine.files("var")) == before
