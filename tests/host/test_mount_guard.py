"""What the root side checks before and after it has something mounted: what ZFS and the folders say now."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from host.base import CommandFailed, CommandTimedOut, Result
from host.commands.base import Command
from host.commands.datasets.datasets import ZfsRename
from host.commands.datasets.mounting import StartMount, WriteMount
from host.commands.datasets.snapshots import ZfsClone, ZfsSnapshot
from host.commands.datasets.zfs import ZfsCreate, ZfsInherit, ZfsListNames, ZfsMount, ZfsMountpoints, ZfsSet
from host.commands.pools.zpool import VdevSpec, ZpoolCreate, ZpoolGet
from host.local import LocalHost
from host.mount_guard import expected, strays
from host.mount_guard import refusal as refusal_of
from host.simulated import SimulatedHost
from tests.host.pool_bench import PoolBench

ROWS = """\
tank\t/mnt/tank\t-\tlocal
tank/a\t/mnt/tank/a\t/srv/came\tinherited from tank
tank/a/b\t/mnt/tank/a/b\t-\tinherited from tank
tank/a/own\t/mnt/own\t-\tlocal
tank/a/own/c\t/mnt/own/c\t-\tinherited from tank/a/own
tank/a/none\tnone\t-\tlocal
tank/evil\t/var/spool\t-\tlocal
tank/fixed\t/var/lib/x\t-\tlocal
"""
ROW = {row.split("\t")[0]: row for row in ROWS.splitlines(keepends=True)}


class Asked:
    """A machine that knows these mount points, and pools with this altroot."""

    kind = "local"

    def __init__(self, altroot: str = "-") -> None:
        self.altroot = altroot

    def run(self, command: Command) -> Result:
        if isinstance(command, ZpoolGet):
            answer = {
                "output_version": {"command": "zpool get", "vers_major": 0, "vers_minor": 1},
                "pools": {"tank": {"properties": {"altroot": {"value": self.altroot}}}},
            }
            return Result(exit=0, stdout=json.dumps(answer))
        if isinstance(command, ZfsListNames):
            there = (name for name in ROW if f"{name}/".startswith(f"{command.below}/"))
            return Result(exit=0, stdout="".join(f"{name}\t1\n" for name in there))
        assert isinstance(command, ZfsMountpoints)
        if command.name not in ROW:
            raise CommandFailed(command, Result(exit=1, stderr=f"cannot open '{command.name}'"))
        fitting = [name for name in ROW if f"{name}/".startswith(f"{command.name}/")]
        return Result(exit=0, stdout="".join(ROW[one] for one in (fitting if command.below else fitting[:1])))


class Lying(Asked):
    """The same, but for what zfs says of mount points."""

    def __init__(self, said: str) -> None:
        super().__init__()
        self.said = said

    def run(self, command: Command) -> Result:
        mountpoints = isinstance(command, ZfsMountpoints)
        return Result(exit=0, stdout=self.said) if mountpoints else super().run(command)


@pytest.mark.parametrize(
    "said",
    [
        # A row of another one, of itself, of one that is not there, and what is in pieces.
        f"{ROW['tank/evil']}tank/evil/x\t/mnt/x\t-\tlocal\ntank/evil\t/mnt/fine\t-\tlocal\n",
        f"{ROW['tank/evil']}tank/evil\t/mnt/fine\t-\tlocal\n",
        "tank/evil\t/mnt/fine\t-\tlocal\ntank/evil/no\t/../../etc\t-\tlocal\n",
        "tank/evil\t/mnt/fine\t-\tlocal\n/../../etc\t-\tlocal\n",
        "tank/evil\t/etc/a\tb\t-\tlocal\n",
        "tank/evil\t/etc/a\nb\t-\tlocal\n",
    ],
)
def test_a_mount_point_with_line_feeds_or_tabs_is_mounted_nowhere(said: str) -> None:
    for command in (
        ZfsMount(name="tank/evil"),
        ZfsSet(name="tank/evil", properties={"canmount": "on"}),
        ZfsInherit(name="tank/evil", property="mountpoint"),
        ZfsCreate(name="tank/evil/new"),
    ):
        with pytest.raises(CommandFailed, match="line feed or a tab"):
            expected(command, Lying(said))


def refusal(command: Command, host: Asked, resolve: Callable[[str], str]) -> str | None:
    return refusal_of(expected(command, host), resolve)


def places(command: Command, altroot: str = "-") -> dict[str, str]:
    return expected(command, Asked(altroot))


@pytest.mark.parametrize(
    ("command", "then"),
    [
        (ZfsMount(name="tank/a"), {"tank/a": "/mnt/tank/a"}),
        (
            ZfsSet(name="tank/a", properties={"mountpoint": "/srv/x"}),
            {"tank/a": "/srv/x", "tank/a/b": "/srv/x/b"},
        ),
        (ZfsSet(name="tank/a", properties={"mountpoint": "none"}), {}),
        (ZfsSet(name="tank/a", properties={"atime": "off"}), {}),
        (ZfsSet(name="tank/evil", properties={"canmount": "on"}), {"tank/evil": "/var/spool"}),
        # What was shared is mounted by that, and all below it, wherever they belong.
        (ZfsSet(name="tank/evil", properties={"sharenfs": "off"}), {"tank/evil": "/var/spool"}),
        (ZfsSet(name="tank/a", properties={"sharesmb": "off"}),
         {"tank/a": "/mnt/tank/a", "tank/a/b": "/mnt/tank/a/b", "tank/a/own": "/mnt/own",
          "tank/a/own/c": "/mnt/own/c"}),
        (ZfsSet(name="tank/a", properties={"sharenfs": "off", "mountpoint": "/srv/x"}),
         {"tank/a": "/srv/x", "tank/a/b": "/srv/x/b", "tank/a/own": "/mnt/own",
          "tank/a/own/c": "/mnt/own/c"}),
        (ZfsInherit(name="tank/evil", property="zoned"), {"tank/evil": "/var/spool"}),
        (ZfsSet(name="tank/evil", properties={"canmount": "off"}), {}),
        (ZfsInherit(name="tank/a/own", property="mountpoint"),
         {"tank/a/own": "/mnt/tank/a/own", "tank/a/own/c": "/mnt/tank/a/own/c"}),
        (ZfsInherit(name="tank/a", property="mountpoint", received=True),
         {"tank/a": "/srv/came", "tank/a/b": "/srv/came/b"}),
        (ZfsInherit(name="tank/a", property="atime"), {}),
        (ZfsInherit(name="tank/fixed", property="mountpoint"), {"tank/fixed": "/mnt/tank/fixed"}),
        (ZfsRename(name="tank/a", to="tank/evil/cron"),
         {"tank/evil/cron": "/var/spool/cron", "tank/evil/cron/b": "/var/spool/cron/b"}),
        (ZfsRename(name="tank/a/own", to="tank/evil/own"), {}),
        (ZfsCreate(name="tank/evil/cron"), {"tank/evil/cron": "/var/spool/cron"}),
        (ZfsCreate(name="tank/v", volume_bytes=1 << 30), {}),
        (ZfsCreate(name="tank/n", properties={"mountpoint": "/srv/n"}), {"tank/n": "/srv/n"}),
        (ZfsClone(snapshot="tank/a@1", name="tank/evil/x"), {"tank/evil/x": "/var/spool/x"}),
        (ZfsCreate(name="tank/nothing/x"), {}),
        (ZfsMount(name="tank/nothing"), {}),
        (ZfsSnapshot(names=("tank/a@1",)), {}),
        (StartMount(folder="/mnt/x"), {"": "/mnt/x"}),
        (WriteMount(device="/dev/md0", fstype="ext4", folder="/srv/x"), {"": "/srv/x"}),
        (
            ZpoolCreate(
                name="pond", mountpoint="/mnt/pond",
                vdevs=(VdevSpec(role="data", layout="stripe", devices=("/dev/disk/by-id/x",)),),
            ),
            {"pond": "/mnt/pond"},
        ),
    ],
)  # fmt: skip
def test_where_a_command_mounts_is_found_from_what_is_there(command: Command, then: dict[str, str]) -> None:
    assert places(command) == then


def test_what_was_imported_to_a_folder_is_mounted_below_it() -> None:
    chosen = ZfsSet(name="tank/a/b", properties={"mountpoint": "/srv/x"})
    assert places(chosen, "/mnt/look") == {"tank/a/b": "/mnt/look/srv/x"}
    # What ZFS reports of others has it already.
    assert places(ZfsMount(name="tank/a"), "/mnt/look") == {"tank/a": "/mnt/tank/a"}
    assert places(ZfsInherit(name="tank", property="mountpoint"), "/mnt/look")["tank"] == "/mnt/look/tank"


@pytest.mark.parametrize(
    "command",
    [
        ZfsMount(name="tank/evil"), ZfsCreate(name="tank/evil/x"), ZfsRename(name="tank/a", to="tank/evil/x"),
        ZfsClone(snapshot="tank/a@1", name="tank/evil/x"),
        ZfsSet(name="tank", properties={"sharesmb": "off"}),
        ZfsSet(name="tank/evil", properties={"zoned": "off"}),
    ],
)  # fmt: skip
def test_what_would_be_mounted_over_the_system_is_refused(command: Command) -> None:
    said = refusal(command, Asked(), str)
    assert said is not None
    assert "/var/spool" in said and "belongs to the system" in said


def test_a_machine_that_does_not_answer_is_no_yes() -> None:
    class Silent(Asked):
        def run(self, command: Command) -> Result:
            raise CommandTimedOut(command, Result(exit=-9))

    with pytest.raises(CommandTimedOut):
        refusal(ZfsMount(name="tank/a"), Silent(), str)


def test_a_way_through_a_link_is_refused(tmp_path: Path) -> None:
    root = str(tmp_path)
    (tmp_path / "etc/cron.d").mkdir(parents=True)
    (tmp_path / "mnt/tank").mkdir(parents=True)
    (tmp_path / "mnt/tank/a").symlink_to(tmp_path / "etc")

    def resolve(path: str) -> str:
        return os.path.realpath(f"{root}{path}").removeprefix(root)

    said = refusal(ZfsMount(name="tank/a"), Asked(), resolve)
    assert said == (
        "/mnt/tank/a is a symbolic link, or lies behind one: it leads to /etc. Remove the link, or choose a "
        "folder that is reached without one."
    )
    moved = ZfsSet(name="tank/fixed", properties={"mountpoint": "/mnt/tank/a/cron.d"})
    assert "/etc/cron.d" in (refusal(moved, Asked(), resolve) or "")
    # One of those below is enough.
    (tmp_path / "mnt/tank/a").unlink()
    (tmp_path / "mnt/up").mkdir()
    (tmp_path / "mnt/up/b").symlink_to("../../etc")
    moved = ZfsSet(name="tank/a", properties={"mountpoint": "/mnt/up"})
    assert "/mnt/up/b" in (refusal(moved, Asked(), resolve) or "")
    (tmp_path / "mnt/up/b").unlink()
    assert refusal(moved, Asked(), resolve) is None


def test_this_machine_starts_nothing_that_it_refuses() -> None:
    host = LocalHost(resolve=lambda path: path.replace("/mnt/x", "/etc"))
    with pytest.raises(CommandFailed) as failed:
        host.run(StartMount(folder="/mnt/x"))
    assert failed.value.result.exit == 126
    assert failed.value.result.stderr.startswith("nasweb: /mnt/x is a symbolic link")


MOUNTS = (
    "36 28 0:32 / /mnt/tank rw,noatime shared:1 - zfs tank rw,xattr,posixacl\n"
    "37 36 0:33 / /mnt/tank/a\\040b rw shared:2 - zfs tank/a\\040b rw,xattr\n"
    "38 28 0:34 / /etc/cron.d rw shared:3 - zfs tank/c rw,xattr\n"
    "39 28 8:1 / / rw - ext4 /dev/sda1 rw\n"
)


def test_what_came_to_be_mounted_otherwise_is_found() -> None:
    wanted = {"tank/a b": "/mnt/tank/a b", "tank/c": "/mnt/tank/c"}
    assert strays(wanted, "", MOUNTS) == (("tank/c", "/etc/cron.d"),)
    assert strays(wanted, MOUNTS, MOUNTS) == ()
    assert strays({"tank": "/mnt/tank"}, "", MOUNTS) == ()


@pytest.fixture
def nas(tmp_path: Path) -> SimulatedHost:
    bench = PoolBench(tmp_path)
    bench.create(("data", "mirror", 2))
    bench.host.run(ZfsCreate(name="tank/files"))
    return bench.host


def refused(host: SimulatedHost, command: Command) -> str:
    ran = host.ran()
    with pytest.raises(CommandFailed) as failed:
        host.run(command)
    assert failed.value.result.exit == 126
    assert host.ran() == ran
    return failed.value.result.stderr


def test_a_simulated_machine_refuses_the_same(nas: SimulatedHost) -> None:
    nas.link_file("tank/files", b"door", b"/etc/cron.d")
    assert "leads to /etc/cron.d" in refused(
        nas, ZfsCreate(name="tank/door", properties={"mountpoint": "/tank/files/door"})
    )
    assert "leads to /etc/cron.d" in refused(nas, ZfsCreate(name="tank/files/door"))
    nas.delete_file("tank/files", b"door")
    nas.run(ZfsCreate(name="tank/files/door"))
    nas.link_folder("/mnt/spool", "/var/spool/cron")
    moved = ZfsSet(name="tank/files", properties={"mountpoint": "/mnt/spool/crontabs"})
    assert "leads to /var/spool/cron/crontabs" in refused(nas, moved)
    assert nas.machine().pools["tank"].datasets["tank/files"].mounted
