"""The program that mounts pools, with zfs as a table and mounts as a list."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from host.base import CommandFailed, Result
from host.commands.base import Command
from host.commands.datasets.zfs import ZfsUnmount
from host.commands.facts import PoolStates
from host.commands.pools.importing import ZpoolExport
from host.commands.pools.mount import ListFileSystems, MountFileSystem, PoolState, PoolValues, SetQuietly
from host.pool_mounts import ASKED
from host.programs import mount_pools
from host.programs.mount_pools import Mount, mounts

WAY_ON = "Set its mountpoint to a folder below /mnt."


class Machine:
    """Pools by their file systems' properties, and what is mounted."""

    kind = "local"

    def __init__(self, pools: dict[str, dict[str, dict[str, str]]]) -> None:
        self.pools = pools
        self.mounted = [Mount("/", "ext4", "/dev/sda2")]
        self.ran: list[tuple[str, ...]] = []
        self.lands: dict[str, str] = {}  # where the mount of a file system goes, past a link
        self.broken: set[str] = set()
        self.bytes: dict[str, type[Command]] = {}  # what of a pool is no text
        self.said: list[str] = []

    def run(self, command: Command) -> Result:
        if not command.reads:
            self.ran.append(command.argv())
        match command:
            case PoolStates():
                lines = (f"/proc/spl/kstat/zfs/{name}/state:ONLINE\n" for name in self.pools)
                return Result(exit=0, stdout="".join((*lines, "/proc/spl/kstat/zfs/sick/state:SUSPENDED\n")))
            case PoolValues(pool=pool) | PoolState(pool=pool):
                return Result(exit=0, stdout='{"a": "' if self.bytes.get(pool) is type(command) else "{}")
            case ZpoolExport(name=name):
                del self.pools[name]
            case ListFileSystems(pool=pool):
                return Result(exit=0, stdout="{half" if pool in self.broken else self._listed(pool))
            case SetQuietly(name=name, properties=properties):
                self.pools[name.partition("/")[0]][name] |= properties
            case MountFileSystem(name=name):
                if name in self.broken:
                    raise CommandFailed(command, Result(exit=1, stderr=f"cannot mount '{name}'\n"))
                place = self.pools[name.partition("/")[0]][name]["mountpoint"]
                self.mounted.append(Mount(self.lands.get(name, place), "zfs", name))
            case ZfsUnmount(name=name):
                self.mounted = [one for one in self.mounted if one.source != name]
        return Result(exit=0)

    def _listed(self, pool: str) -> str:
        usual = {"canmount": "on", "setuid": "off", "devices": "off", "keystatus": "-", "mounted": "no"}
        found = {
            name: {
                "name": name,
                "type": "FILESYSTEM",
                "properties": {
                    key: {"value": value, "source": {"type": "LOCAL", "data": "-"}}
                    for key, value in (usual | values).items()
                },
            }
            for name, values in self.pools[pool].items()
        }
        return json.dumps({"output_version": {"vers_major": 0}, "datasets": found})

    def start(self, *arguments: str) -> int:
        """Run the program; what it says is in `said`."""
        self.ran, self.said = [], []
        return mount_pools.main(
            list(arguments), host=self, read_mounts=lambda: tuple(self.mounted), say=self.said.append
        )

    @property
    def places(self) -> list[str]:
        """Where file systems of pools are mounted."""
        return [one.place for one in self.mounted if one.kind == "zfs"]


def test_a_hostile_pool_mounts_what_it_may_and_nothing_else() -> None:
    machine = Machine({"evil": {
        "evil": {"mountpoint": "/mnt/evil", "setuid": "on"},
        "evil/root": {"mountpoint": "/etc/sudoers.d", "sharenfs": "on"},
        "evil/twice": {"mountpoint": "//etc/cron.d"},
        "evil/locked": {"mountpoint": "/mnt/evil/locked", "keystatus": "unavailable"},
    }})  # fmt: skip
    assert machine.start("--pool=evil", "--foreign") == 0
    assert machine.places == ["/mnt/evil"]
    assert machine.said == [
        "evil: setuid=off",
        f"evil/root: mountpoint=none {ASKED}=/etc/sudoers.d sharenfs=off",
        f"evil/twice: mountpoint=none {ASKED}=//etc/cron.d",
        "evil is mounted at /mnt/evil.",
    ]
    # Without -u the change of a share mounts what it shares.
    assert all("-u" in argv for argv in machine.ran if argv[:2] == ("zfs", "set"))
    assert machine.start() == 0
    assert (machine.ran, machine.places) == ([], ["/mnt/evil"])


def test_read_only_nothing_is_set_and_what_is_mounted_is_harmless() -> None:
    machine = Machine({"evil": {
        "evil": {"mountpoint": "/mnt/evil", "setuid": "on"}, "evil/root": {"mountpoint": "/etc/sudoers.d"},
    }})  # fmt: skip
    assert machine.start("--pool=evil", "--foreign", "--readonly") == 0
    assert machine.ran == [("zfs", "mount", "-o", "nosuid,nodev", "evil")]
    assert machine.said == [
        f"evil/root stays unmounted: /etc/sudoers.d belongs to the system. {WAY_ON}",
        "evil is mounted at /mnt/evil.",
    ]


def test_to_mount_nothing_changes_what_has_to_be() -> None:
    machine = Machine({"evil": {"evil": {"mountpoint": "/usr", "setuid": "on"}}})
    assert machine.start("--pool=evil", "--foreign", "--mount-nothing") == 0
    assert [argv[:3] for argv in machine.ran] == [("zfs", "set", "-u")]
    assert machine.places == []


def test_the_start_changes_nothing_and_refuses_folders_of_the_system() -> None:
    machine = Machine({
        "evil": {"evil/x": {"mountpoint": "/etc/sudoers.d"}, "evil": {"mountpoint": "/evil"}},
        "tank": {"tank": {"mountpoint": "/mnt/tank"}, "tank/var": {"mountpoint": "legacy"}},
    })  # fmt: skip
    assert machine.start() == 0
    assert machine.ran == [("zfs", "mount", "evil"), ("zfs", "mount", "tank")]
    assert machine.said[0].startswith("evil/x stays unmounted: /etc/sudoers.d belongs to the system.")


def test_the_pool_that_the_system_starts_from_says_itself_where_it_lies() -> None:
    machine = Machine({"rpool": {
        "rpool/ROOT/debian": {"mountpoint": "/", "canmount": "noauto", "mounted": "yes"},
        "rpool/var": {"mountpoint": "/var"},
    }})  # fmt: skip
    machine.mounted = [Mount("/", "zfs", "rpool/ROOT/debian")]
    assert machine.start() == 0
    assert machine.ran == [("zfs", "mount", "rpool/var")]


def test_a_link_that_the_pool_itself_brings_leads_nowhere(monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.path.realpath
    machine = Machine({"evil": {
        "evil": {"mountpoint": "/mnt/a"}, "evil/x": {"mountpoint": "/mnt/a/b/sudoers.d"},
    }})  # fmt: skip

    def realpath(path: str) -> str:
        # Its link is there once its parent is mounted.
        there = path.startswith("/mnt/a/b") and "/mnt/a" in machine.places
        return path.replace("/mnt/a/b", "/etc") if there else real(path)

    monkeypatch.setattr(os.path, "realpath", realpath)
    assert machine.start("--pool=evil") == 0
    assert machine.places == ["/mnt/a"]
    assert machine.said[1].startswith("evil/x stays unmounted: /mnt/a/b/sudoers.d leads to /etc/sudoers.d.")


def test_a_mount_that_landed_elsewhere_is_taken_back() -> None:
    machine = Machine({"tank": {"tank": {"mountpoint": "/mnt/tank"}}})
    machine.lands["tank"] = "/etc/sudoers.d"
    assert machine.start("--pool=tank") == 0
    assert machine.ran[-1] == ("zfs", "unmount", "tank")
    assert machine.said[-1].startswith("tank stays unmounted: /mnt/tank led elsewhere.")
    assert machine.places == []


def test_nothing_is_hidden() -> None:
    machine = Machine({"evil": {
        "evil": {"mountpoint": "/mnt/tank"}, "evil/x": {"mountpoint": "/mnt/array"},
        "evil/y": {"mountpoint": "/srv/home"},
    }})  # fmt: skip
    machine.mounted += [
        Mount("/mnt/array", "ext4", "/dev/md3"), Mount("/mnt/tank/photos", "zfs", "tank/photos"),
        # Racing with this start, the owner's own line of /etc/fstab: hidden as ever.
        Mount("/srv/home/usb", "ext4", "/dev/sdz1"),
    ]  # fmt: skip
    before = machine.places
    assert machine.start("--pool=evil") == 0
    assert machine.places == [*before, "/srv/home"]
    assert machine.said[:2] == [
        f"evil/x stays unmounted: /dev/md3 is mounted at /mnt/array. {WAY_ON}",
        f"evil stays unmounted: tank/photos is mounted at /mnt/tank/photos and would be hidden. {WAY_ON}",
    ]


def test_what_fails_is_reported_and_stops_nothing_else(capsys: pytest.CaptureFixture[str]) -> None:
    machine = Machine({
        "bad": {"bad": {"mountpoint": "/mnt/bad"}},
        "tank": {"tank": {"mountpoint": "/mnt/tank"}, "tank/x": {"mountpoint": "/mnt/tank/x"}},
    })  # fmt: skip
    machine.broken = {"bad", "tank"}
    machine.pools["more"] = {"more": {"mountpoint": "/mnt/more"}}
    assert machine.start() == 1
    assert machine.places == ["/mnt/more"]
    assert capsys.readouterr().err.strip()
    machine.broken = {"tank/x"}
    assert machine.start("--pool=tank") == 1
    assert "cannot mount 'tank/x'" in capsys.readouterr().err


def test_what_is_mounted_is_read_with_its_blanks(tmp_path: Path) -> None:
    table = tmp_path / "mountinfo"
    table.write_bytes(
        b"29 1 8:2 / / rw,relatime shared:1 - ext4 /dev/sda2 rw\n"
        b"90 29 0:50 / /mnt/my\\040files\\134x\xc3\xa9 rw shared:9 - zfs tank/my\\040files rw,xattr\n"
        b"91 29 0:51 / /mnt/plain rw - zfs tank rw\n"
    )
    assert mounts(table) == (
        Mount("/", "ext4", "/dev/sda2"),
        Mount("/mnt/my files\\xé", "zfs", "tank/my files"),
        Mount("/mnt/plain", "zfs", "tank"),
    )


@pytest.mark.parametrize("which", [PoolValues, PoolState])
@pytest.mark.parametrize("more", [(), ("--readonly",), ("--foreign", "--mount-nothing")])
def test_a_pool_by_which_no_pool_could_be_read_is_let_go(
    which: type[Command], more: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    machine = Machine({"evil": {"evil": {"mountpoint": "/mnt/evil"}}, "tank": {}})
    machine.bytes["evil"] = which
    assert machine.start("--pool=evil", *more) == 1
    assert (machine.ran, list(machine.pools), machine.places) == ([("zpool", "export", "evil")], ["tank"], [])
    assert capsys.readouterr().err == (
        "evil was exported again: it holds values that are not UTF-8, with which no pool could be read.\n"
    )


def test_a_mount_point_that_is_no_text_keeps_its_pool_unmounted(capsys: pytest.CaptureFixture[str]) -> None:
    machine = Machine({"evil": {"evil": {"mountpoint": "/mnt/evil"}}})
    machine.broken = {"evil"}
    assert machine.start("--pool=evil") == 1
    assert (list(machine.pools), machine.places) == (["evil"], [])
    assert capsys.readouterr().err == (
        "Nothing of evil is mounted: a mount point in it is not UTF-8. Set it to a folder below /mnt.\n"
    )
