"""What is typed for each command of a pool's life."""

from __future__ import annotations

import msgspec
import pytest

from host.commands.base import Command
from host.commands.closed import decode, encode
from host.commands.pools.care import (
    ZpoolCheckpoint,
    ZpoolClear,
    ZpoolInitialize,
    ZpoolIostat,
    ZpoolScrub,
    ZpoolSet,
    ZpoolTrim,
    ZpoolUpgrade,
)
from host.commands.pools.importing import ZpoolExport, ZpoolImport, ZpoolImportable, ZpoolImportLoss
from host.commands.pools.members import (
    ZpoolAdd,
    ZpoolAttach,
    ZpoolCancelRemoval,
    ZpoolDetach,
    ZpoolOffline,
    ZpoolOnline,
    ZpoolRemove,
    ZpoolReplace,
)
from host.commands.pools.mount import MountPool
from host.commands.pools.zpool import VdevSpec, ZpoolErrors, ZpoolStatus

LINK = "/dev/disk/by-id/ata-X-part1"
OTHER = "/dev/disk/by-id/ata-Y-part1"
GUID = "17076396061994760781"
MIRROR = VdevSpec(role="data", layout="mirror", devices=(LINK, OTHER))
SPARE = VdevSpec(role="spare", layout="stripe", devices=(LINK,))
FROM = "zpool import -d /dev/disk/by-id"
MOUNT = (
    "env --chdir=/opt/nasweb/current /opt/nasweb/current/.venv/bin/python -m host.programs.mount_pools "
    "--pool=tank"
)

TYPED: tuple[tuple[Command, str], ...] = (
    (ZpoolScrub(name="tank"), "zpool scrub tank"),
    (ZpoolScrub(name="tank", action="pause"), "zpool scrub -p tank"),
    (ZpoolScrub(name="tank", action="stop"), "zpool scrub -s tank"),
    (ZpoolClear(name="tank"), "zpool clear tank"),
    (ZpoolClear(name="tank", vdev=GUID), f"zpool clear tank {GUID}"),
    (ZpoolTrim(name="tank"), "zpool trim tank"),
    (ZpoolTrim(name="tank", action="suspend", vdev=GUID), f"zpool trim -s tank {GUID}"),
    (ZpoolTrim(name="tank", action="cancel"), "zpool trim -c tank"),
    (ZpoolInitialize(name="tank", vdev=GUID), f"zpool initialize tank {GUID}"),
    (ZpoolInitialize(name="tank", action="suspend"), "zpool initialize -s tank"),
    (ZpoolInitialize(name="tank", action="cancel"), "zpool initialize -c tank"),
    (ZpoolUpgrade(name="tank"), "zpool upgrade tank"),
    (ZpoolCheckpoint(name="tank"), "zpool checkpoint tank"),
    (ZpoolCheckpoint(name="tank", discard=True), "zpool checkpoint -d tank"),
    (ZpoolSet(name="tank", property="autotrim", value="on"), "zpool set autotrim=on tank"),
    (ZpoolIostat(name="tank"), "zpool iostat -gvlyHp tank 1 1"),
    (ZpoolStatus(), "zpool status -jPit --json-int -p"),
    (ZpoolErrors(name="tank"), "zpool status -jPv --json-int -p tank"),
    (ZpoolAdd(name="tank", vdevs=(SPARE, MIRROR)), f"zpool add tank mirror {LINK} {OTHER} spare {LINK}"),
    (
        ZpoolAdd(name="tank", vdevs=(SPARE,), properties={"ashift": "12"}, force=True),
        f"zpool add -f -o ashift=12 tank spare {LINK}",
    ),
    (ZpoolAttach(name="tank", vdev=GUID, device=LINK), f"zpool attach tank {GUID} {LINK}"),
    (ZpoolReplace(name="tank", vdev=GUID, device=LINK), f"zpool replace tank {GUID} {LINK}"),
    (ZpoolReplace(name="tank", vdev=GUID, device=LINK, force=True), f"zpool replace -f tank {GUID} {LINK}"),
    (ZpoolDetach(name="tank", vdev=GUID), f"zpool detach tank {GUID}"),
    (ZpoolRemove(name="tank", vdev=GUID), f"zpool remove tank {GUID}"),
    (ZpoolCancelRemoval(name="tank"), "zpool remove -s tank"),
    (ZpoolOffline(name="tank", vdev=GUID), f"zpool offline tank {GUID}"),
    (ZpoolOnline(name="tank", vdev=GUID), f"zpool online tank {GUID}"),
    (ZpoolOnline(name="tank", vdev=GUID, expand=True), f"zpool online -e tank {GUID}"),
    (ZpoolExport(name="tank"), "zpool export tank"),
    (ZpoolImportable(), FROM),
    (ZpoolImportable(destroyed=True), f"{FROM} -D"),
    (ZpoolImport(guid=GUID), f"{FROM} -N {GUID}"),
    (ZpoolImport(guid=GUID, new_name="tonk", readonly=True), f"{FROM} -N -o readonly=on {GUID} tonk"),
    (
        ZpoolImport(guid=GUID, destroyed=True, force=True, missing_log=True),
        f"{FROM} -N -D -f -m {GUID}",
    ),
    (ZpoolImport(guid=GUID, rewind=True), f"{FROM} -N -F {GUID}"),
    (ZpoolImport(guid=GUID, to_checkpoint=True), f"{FROM} -N --rewind-to-checkpoint {GUID}"),
    (ZpoolImport(guid=GUID, altroot="/mnt/look"), f"{FROM} -N -R /mnt/look {GUID}"),
    (MountPool(name="tank"), MOUNT),
    (MountPool(name="tank", foreign=True, readonly=True), f"{MOUNT} --foreign --readonly"),
    (MountPool(name="tank", foreign=True, unmounted=True), f"{MOUNT} --foreign --mount-nothing"),
    (ZpoolImportLoss(guid=GUID), f"{FROM} -F -n -N -o cachefile=none -o readonly=on -t {GUID} look-{GUID}"),
)


@pytest.mark.parametrize(("command", "typed"), TYPED, ids=[typed for _, typed in TYPED])
def test_what_is_typed(command: Command, typed: str) -> None:
    assert " ".join(command.argv()) == typed
    assert decode(encode(command)) == command


@pytest.mark.parametrize("guid", ["", "0", "01", "-1", LINK, "raidz2-0", "1" * 21, "12\n", "0x12"])
def test_a_vdev_is_a_guid_and_nothing_else(guid: str) -> None:
    data = msgspec.json.encode({"type": "ZpoolOffline", "name": "tank", "vdev": guid})
    with pytest.raises(msgspec.ValidationError):
        decode(data)


@pytest.mark.parametrize(
    "path",
    [
        "mnt",
        "/",
        "/mnt/..",
        "/mnt//x",
        "-R",
        "/mnt\n",
        "/mnt",
        "/etc",
        "/etc/cron.d",
        "/var/lib",
        "/tank",
    ],
)
def test_an_alternate_root_is_a_folder_where_pools_may_be_mounted(path: str) -> None:
    data = msgspec.json.encode({"type": "ZpoolImport", "guid": GUID, "altroot": path})
    with pytest.raises(msgspec.ValidationError):
        decode(data)
