"""What the kernel holds without a word on the disk: a device-mapper map and a loop device on a free disk."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest

from host.commands.base import Command
from host.commands.closed import encode
from host.commands.disks.md import MdCreate
from host.commands.disks.partition import WipeSignatures, WritePartition
from host.commands.pools.zpool import VdevSpec, ZpoolCreate
from host.commands.units import StartBurnIn
from tests.lab.pool_life import PoolLab

pytestmark = pytest.mark.drill

MAP, LOOP, FREE = 1, 2, (3, 4, 5)
# As the worker asks: what the helper answers goes to stdout as JSON.
_ASK = """
import sys, msgspec
from pathlib import Path
from host.base import CommandFailed
from host.client import HelperHost
from host.commands.closed import decode
try:
    HelperHost(Path("/run/nasweb/helper.sock")).run(decode(sys.stdin.buffer.read()))
    said = None
except CommandFailed as failure:
    said = failure.result.stderr
print(msgspec.json.encode(said).decode())
"""


class Held(NamedTuple):
    """A disk that is held, and what the console calls its holder."""

    number: int
    words: str


HELD = (
    Held(MAP, "held by device-mapper map drill until it is removed (dmsetup remove)"),
    Held(LOOP, "held by loop device loop7 until it is detached (losetup --detach)"),
)


@pytest.fixture(scope="module")
def lab(pool_lab: PoolLab) -> Iterator[PoolLab]:
    run = pool_lab.machine.run
    mapped, looped = (f"/dev/disk/by-id/{name}" for name in pool_lab.ids(MAP, LOOP))
    run(f'dmsetup create drill --table "0 $(blockdev --getsz {mapped}) linear {mapped} 0"')
    run(f"losetup /dev/loop7 {looped}")
    pool_lab.console.fresh()
    yield pool_lab
    run("dmsetup remove drill; losetup --detach /dev/loop7", check=False)
    pool_lab.tidy()


def disk(lab: PoolLab, number: int) -> dict[str, Any]:
    (name,) = lab.ids(number)
    found: dict[str, Any] = lab.console.get(f"disks/{name}/")
    return found


def asked_directly(lab: PoolLab, command: Command) -> str | None:
    """What the helper says to the worker's user; None where it carried the command out."""
    python = "/opt/nasweb/current/.venv/bin/python"
    line = ["runuser", "-u", "nasweb-worker", "--", "env", "-C", "/opt/nasweb/current", python, "-c", _ASK]
    said: str | None = json.loads(lab.machine.run(line, input=encode(command).decode()).stdout)
    return said


def refused(lab: PoolLab, path: str, body: dict[str, Any]) -> list[tuple[str, str]]:
    answer = lab.console.ask("POST", f"{path}?dry_run=true", body)
    assert answer.status == 422, (path, answer)
    return [(one["code"], one["message"]) for one in answer.body["findings"] if one["level"] == "error"]


@pytest.mark.parametrize("held", HELD, ids=["map", "loop"])
def test_the_console_says_what_holds_the_disk(lab: PoolLab, held: Held) -> None:
    assert disk(lab, held.number)["used_by"] == held.words


@pytest.mark.parametrize("held", HELD, ids=["map", "loop"])
def test_no_plan_takes_it(lab: PoolLab, held: Held) -> None:
    found = disk(lab, held.number)
    others = lab.ids(*FREE)
    vdevs = [{"role": "data", "layout": "mirror", "disks": [found["id"], others[0]]}]
    named = {"serial": found["serial"]}
    for path, body in (
        ("pools/", {"name": "tank", "vdevs": vdevs}),
        ("arrays/", {"name": "media", "level": 1, "disks": [found["id"], others[0]]}),
        (f"disks/{found['id']}/wipe/", named),
        (f"disks/{found['id']}/burn-in/", named),
    ):
        assert ("disk-in-use", f"{found['id']} is in use: {held.words}.") in [
            (code, message.replace(f" (bay {found['bay']}, serial {found['serial']})", ""))
            for code, message in refused(lab, path, body)
        ], path


@pytest.mark.parametrize("held", HELD, ids=["map", "loop"])
def test_it_replaces_nothing(lab: PoolLab, held: Held) -> None:
    found = disk(lab, held.number)
    lab.create("tank", "mirror", *FREE[:2])
    try:
        leaf = lab.pool("tank")["vdevs"][0]["children"][0]["guid"]
        errors = refused(lab, "pools/tank/replace/", {"vdev": leaf, "disk": found["id"]})
        assert [code for code, message in errors if held.words in message] == ["disk-in-use"]
    finally:
        lab.console.do("DELETE", "pools/tank/")


@pytest.mark.parametrize("held", HELD, ids=["map", "loop"])
def test_the_helper_itself_writes_nothing_to_it(lab: PoolLab, held: Held) -> None:
    found = disk(lab, held.number)
    link = f"/dev/disk/by-id/{found['id']}"
    kname = lab.machine.run(f"readlink -f {link}").stdout.strip()
    before = lab.machine.run(f"head -c 4194304 {kname} | sha256sum").stdout
    vdev = VdevSpec(role="data", layout="stripe", devices=(link,))
    for command in (
        WipeSignatures(disk=link),
        WritePartition(disk=link, size_mib=1024),
        StartBurnIn(disk=link, serial=found["serial"]),
        MdCreate(name="media", level=1, members=(link,), missing=1),
        ZpoolCreate(name="tank", vdevs=(vdev,), mountpoint="/mnt/tank", force=True),
    ):
        assert asked_directly(lab, command) == (
            f"{link}: Device or resource busy: {held.words}. Nothing was written.\n"
        )
    assert lab.machine.run(f"head -c 4194304 {kname} | sha256sum").stdout == before


def test_a_mounted_partition_keeps_its_disk(lab: PoolLab) -> None:
    """sgdisk itself writes to such a disk, and says that the kernel goes on with the old table."""
    (name,) = lab.ids(FREE[2])
    link = f"/dev/disk/by-id/{name}"
    lab.machine.run(f"sgdisk --clear --new=1:1M:+512M {link} && udevadm settle")
    lab.machine.run(f"mkfs.ext4 -qF {link}-part1 && mkdir -p /run/drill && mount {link}-part1 /run/drill")
    try:
        said = asked_directly(lab, WritePartition(disk=link, size_mib=1024)) or ""
        assert said.startswith(f"{link}: Device or resource busy: in use by a file system")
        assert asked_directly(lab, MdCreate(name="media", level=1, members=(f"{link}-part1",), missing=1))
    finally:
        lab.machine.run(f"umount /run/drill && wipefs -aq {link}-part1 {link} && udevadm settle")


def test_a_disk_that_is_let_go_is_free(lab: PoolLab) -> None:
    lab.machine.run("dmsetup remove drill && losetup --detach /dev/loop7 && udevadm settle")
    lab.console.fresh()
    assert [disk(lab, held.number)["used_by"] for held in HELD] == [None, None]
    lab.create("tank", "mirror", MAP, LOOP)
    lab.console.do("DELETE", "pools/tank/")
