"""The units that let /var and /home lie on a pool: off by themselves, before all that writes, no circle."""

from __future__ import annotations

import importlib.util
from graphlib import TopologicalSorter

from host.commands.starting import RELEASE
from host.commands.system.moved_state import COPY_UNIT, FOLDER, ORDER, PLACE, PROGRAM, RETURN, TOLD, UNITS
from host.commands.system.swap import PROGRAM as SWAP_PROGRAM
from host.programs.moved_state.__main__ import USAGE
from host.programs.moved_state.places import Places
from tests.ansible.units import MAKES_A_MOUNT_NAMESPACE, ROLES, ordering, settings

FILES = ROLES / "boot" / "files"
OURS = tuple(FILES / "units" / name for name in UNITS)
MOVE, START, SCHEMA = OURS
WRAPPER, MODULE = FILES / "libexec" / "nasweb-state", "host.programs.moved_state"
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


def test_the_program_is_the_release_s_and_started_by_its_name() -> None:
    assert WRAPPER.name == PROGRAM.rpartition("/")[2]
    assert WRAPPER.stat().st_mode & 0o111
    text = WRAPPER.read_text()
    assert importlib.util.find_spec(f"{MODULE}.__main__") is not None
    assert f"program={MODULE.replace('.', '/')}/__main__.py\n" in text
    assert f"release={RELEASE}\n" in text
    # Nothing is written to the release, and what is said may be in any language.
    assert f'PYTHONDONTWRITEBYTECODE=1 PYTHONUTF8=1 exec .venv/bin/python -m {MODULE} "$1"\n' in text
    assert f'    *) echo "{USAGE}" >&2; exit 2 ;;\n' in text
    for unit in (MOVE, START):
        # /opt on a file system of its own is there before, and /var and /home are not needed.
        assert settings(unit)["RequiresMountsFor"] == [f"{FOLDER} /opt/nasweb /usr/local/libexec"]


def test_a_machine_without_the_release_starts_with_its_own_disk_and_says_so() -> None:
    # So does one that was cut off in `nasweb-release back`, unless the release before has the program.
    text = WRAPPER.read_text()
    program, without = text.split("\nfi\n")
    assert '[ -e "$release/$program" ] || release=/opt/nasweb/previous\n' in program
    guard = '[ -e "$release/$program" ] && [ -x "$release/.venv/bin/python" ]; then'
    assert program.index(guard) < program.index('cd "$release"')
    assert f"run={TOLD.rpartition('/')[0]}\n" in without
    report = TOLD.rpartition("/")[2]
    assert f"'from=here\\nwhy=%s\\nsaid=\\n' release-missing >\"$run/{report}.new\"" in without
    assert f'mv -T "$run/{report}.new" "$run/{report}"\n}} || true\n' in without
    # What is written meanwhile is nowhere else.
    assert without.endswith(f'[ "$1" != start ] || touch {Places().ran_here} || true\n')
    (copy,) = (line for line in without.splitlines() if "copied" in line)
    assert copy.startswith('[ "$1" != copy ] || {')
    assert copy.endswith(">&2; exit 1; }")


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
