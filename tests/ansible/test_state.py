"""The units that let /var and /home lie on a pool: off by themselves, before all that writes, no circle."""

from __future__ import annotations

from graphlib import TopologicalSorter

from host.backup.folders import STATE
from host.commands.system.moved_state import COPY_UNIT, FOLDER, ORDER, PLACE, PROGRAM, RETURN, TOLD, UNITS
from host.commands.system.swap import PROGRAM as SWAP_PROGRAM
from tests.ansible.test_units import MAKES_A_MOUNT_NAMESPACE, ROLES, ordering, settings

FILES = ROLES / "boot" / "files"
OURS = tuple(FILES / "units" / name for name in UNITS)
MOVE, START, SCHEMA = OURS
# What Debian 13 and OpenZFS 2.3 say of their own units: unit -> after what.
THEIRS = {
    "zfs-load-module.service": {
        "systemd-udev-settle.service", "cryptsetup.target", "systemd-remount-fs.service",
    },
    "zfs-import-cache.service": {"zfs-load-module.service", "systemd-udev-settle.service"},
    "zfs-import.target": {"zfs-import-cache.service", "zfs-import-scan.service"},
    "zfs-import-scan.service": {"zfs-load-module.service"},
    "zfs-mount.service": {"zfs-import.target", "systemd-remount-fs.service"},
    "local-fs.target": {"zfs-mount.service", "local-fs-pre.target"},
    "systemd-random-seed.service": {"systemd-remount-fs.service"},
    "systemd-journal-flush.service": {"systemd-remount-fs.service", "systemd-journald.service"},
    "systemd-tmpfiles-setup.service": {"local-fs.target", "systemd-journal-flush.service"},
    "sysinit.target": {
        "local-fs.target", "systemd-tmpfiles-setup.service", "systemd-udev-settle.service",
        "cryptsetup.target", "systemd-random-seed.service", "systemd-pstore.service",
    },
    "basic.target": {"sysinit.target"},
}  # fmt: skip


def test_the_start_can_be_put_in_order_and_they_come_before_what_writes() -> None:
    graph = ordering()
    for unit, after in THEIRS.items():
        graph.setdefault(unit, set()).update(after)
    order = list(TopologicalSorter(graph).static_order())
    move, start = order.index(MOVE.name), order.index(START.name)
    assert order.index("zfs-import.target") < move < start
    writers = ("local-fs.target", "systemd-random-seed.service", "systemd-journal-flush.service")
    for writer in (*writers, "systemd-pstore.service", "zfs-mount.service"):
        assert start < order.index(writer), writer


def test_nobody_who_did_not_ask_has_them() -> None:
    assert settings(MOVE)["ConditionPathExists"] == [f"|{ORDER}", f"|{RETURN}"]
    assert settings(START)["ConditionPathExists"] == [PLACE]
    assert settings(SCHEMA)["ConditionPathExists"] == [TOLD]
    tasks = "".join(file.read_text() for file in ROLES.glob("*/tasks/*.yml"))
    preset = (FILES / "flash" / "preset").read_text().splitlines()
    for unit in OURS:
        assert unit.name not in tasks
        assert f"disable {unit.name}" in preset


def test_what_the_owner_mounts_below_comes_after_them() -> None:
    for folder in ("var", "home"):
        assert settings(FILES / "units" / f"{folder}-.mount.d" / "nasweb-state.conf")["After"] == [START.name]


def test_what_they_mount_is_mounted_for_everyone() -> None:
    for folder in ("nasweb-state.service.d", "nasweb-state-.service.d"):
        own = settings(FILES / "units" / folder / "sandbox.conf")
        assert MAKES_A_MOUNT_NAMESPACE & own.keys() == set()
        assert own["NoNewPrivileges"] == ["yes"]
    assert COPY_UNIT.startswith("nasweb-state-")


def test_a_start_without_the_pool_is_no_failed_start() -> None:
    for unit in (MOVE, START):
        found = settings(unit)
        assert found["ExecStart"][0].split()[0] == PROGRAM
        assert "DefaultDependencies" in found
        assert "RequiredBy" not in found
    assert int(settings(START)["TimeoutStartSec"][0]) <= 90


def test_they_are_of_the_start_alone_and_never_of_a_machine_that_works() -> None:
    # sysinit.target asks for local-fs.target, and so each start of a service, for all that is wanted there
    # and not active: once the first copy is made /var would change under the feet of a running machine.
    for unit in (MOVE, START):
        assert settings(unit)["WantedBy"] == ["multi-user.target"]
        condition = "/bin/sh -c '! systemctl --quiet is-active sysinit.target'"
        assert settings(unit)["ExecCondition"] == [condition]


def functions() -> dict[str, list[str]]:
    """The program's functions with their lines."""
    found: dict[str, list[str]] = {}
    lines: list[str] = []
    for line in (FILES / "libexec" / PROGRAM.rpartition("/")[2]).read_text().splitlines():
        name, starts, _ = line.partition("() {")
        if starts and name.isidentifier():
            lines = found.setdefault(name, [])
        lines.append(line.strip())
    return found


def test_what_is_half_brought_back_is_never_taken_for_whole_after_the_pool_was_used_again() -> None:
    program = functions()
    # Whoever works with the pool, or without it, begins the way back anew.
    assert program["start"][2] == "stale # what an unfinished way back has left is older than what comes now"
    assert 'rm -f "/$folder/.nasweb-complete" "/.nasweb-$folder/.nasweb-complete"' in program["stale"]
    # A marker that was copied along would make a later way back bring nothing.
    assert program["copy"].index("sweep") < program["copy"].index("mount_new")
    assert "stale" in program["sweep"]
    # What is whole needs no pool any more.
    (way_back,) = (line for line in program["move"] if "brought_back" in line)
    assert way_back == "if ! brought_back; then"


def test_a_move_that_went_well_forgets_one_that_failed() -> None:
    assert 'rm -f "$etc/order" "$etc/failed" "$etc/ran-here"' in functions()["move_out"]


def test_what_was_written_here_while_the_pool_was_away_is_not_removed_by_the_way_back() -> None:
    program = functions()
    assert ': >"$etc/ran-here"' in " ".join(program["fall_back"])
    assert program["start"].count('fall_back mount-failed "$(printf \'%s\' "$said" | tail -n 1)"') == 1
    kept = [line for line in program["clear_away"] if "mv -T" in line]
    assert kept == ['mv -T "/.nasweb-$folder" "/$folder.before-$(date --utc +%Y%m%dT%H%M%SZ)"']


def test_the_program_knows_our_files_by_their_names() -> None:
    text = (FILES / "libexec" / PROGRAM.rpartition("/")[2]).read_text()
    assert f"etc={FOLDER}\n" in text
    assert f"run={TOLD.rpartition('/')[0]}\n" in text
    assert f"/{STATE}/$folder" in text
    for path in (ORDER, PLACE, RETURN):
        assert f"$etc/{path.rpartition('/')[2]}" in text


def test_the_room_for_swap_is_left_on_larger_sticks_alone() -> None:
    grow = (FILES / "libexec" / "nasweb-grow").read_text()
    assert "free=$((whole / 16))" in grow
    assert "29296875" in grow  # 15 000 000 000 bytes in sectors of 512
    assert "4194304" in grow  # 2 GiB
    assert (FILES / "libexec" / SWAP_PROGRAM.rpartition("/")[2]).stat().st_mode & 0o111


def test_arrays_are_checked_each_month() -> None:
    assert (
        "[systemctl, enable, mdcheck_start.timer, mdcheck_continue.timer]"
        in (ROLES / "boot" / "tasks" / "main.yml").read_text()
    )
