"""The simulated programs refuse word for word as real ones did (tests/transcripts/errors)."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from host.base import CommandFailed, Result
from host.commands.base import Command, PoolName
from host.commands.datasets.snapshots import (
    ZfsClone,
    ZfsDestroySnapshots,
    ZfsDiff,
    ZfsHold,
    ZfsListSnapshots,
    ZfsRelease,
    ZfsRenameSnapshot,
    ZfsRollback,
    ZfsSnapshot,
)
from host.commands.datasets.zfs import ZfsCreate, ZfsDestroy, ZfsSet
from host.commands.disks.partition import WipeSignatures, WritePartition
from host.commands.pools.care import ZpoolScrub
from host.commands.pools.importing import ZpoolExport, ZpoolImport
from host.commands.pools.members import ZpoolAdd, ZpoolOffline, ZpoolRemove, ZpoolReplace
from host.commands.pools.zpool import VdevSpec, ZpoolCreate, ZpoolDestroy, ZpoolErrors
from host.layouts import Layout
from host.simulated import SimulatedHost
from host.simulated.blocks import exclusive

ERRORS = Path(__file__).parents[1] / "transcripts/errors"
_RECORDED = "/dev/disk/by-id/ata-WDC_WD30EFRX-68EUZN0_WD-WMC1T000000{}"
_MIB_OF_WHOLE = 2_859_539
Prepare = Callable[[SimulatedHost], None]


def _links(host: SimulatedHost) -> list[str]:
    return [f"/dev/disk/by-id/{disk.ids[0]}" for disk in host.machine().disks[:6]]


@pytest.fixture
def host(tmp_path: Path) -> SimulatedHost:
    """The machine that the refusals were recorded on: tank in a mirror, datasets, an ext4 that is mounted."""
    host = SimulatedHost(tmp_path / "machine.json", "home")
    one, two, three, four, five, six = _links(host)
    for link in (one, two, three, four):
        host.run(WritePartition(disk=link, size_mib=_MIB_OF_WHOLE))
    host.occupy(five, "mounted-ext4")
    host.run(WritePartition(disk=six, size_mib=50 << 10))
    members = (f"{one}-part1", f"{two}-part1")
    mirror = VdevSpec(role="data", layout="mirror", devices=members)
    host.run(ZpoolCreate(name="tank", vdevs=(mirror,), mountpoint="/tank"))
    for name in ("data", "data/child", "busy"):
        host.run(ZfsCreate(name=f"tank/{name}"))
    host.write("tank/data", 5 << 20)
    for tag in ("one", "gone", "held"):
        host.run(ZfsSnapshot(names=(f"tank/data/child@{tag}",)))
    host.hold("tank/data/child@held")
    host.clone("tank/data/child@one", "tank/clone")
    return host


def _new(host: SimulatedHost, *members: int, layout: Layout = "mirror", **more: object) -> ZpoolCreate:
    links = _links(host)
    devices = tuple(f"{links[member - 1]}-part1" for member in members)
    vdevs = (VdevSpec(role="data", layout=layout, devices=devices),)
    values: dict[str, object] = {"name": "new", "mountpoint": "/new", "vdevs": vdevs} | more
    return ZpoolCreate(**values)  # type: ignore[arg-type]


def _without_gone(host: SimulatedHost, command: Command) -> Command:
    host.run(ZfsDestroySnapshots(dataset="tank/data/child", tags=("gone",)))
    return command


def _uneven(host: SimulatedHost) -> ZpoolCreate:
    links = _links(host)
    single = VdevSpec(role="data", layout="stripe", devices=(f"{links[2]}-part1",))
    pair = VdevSpec(role="data", layout="mirror", devices=(f"{links[3]}-part1", f"{links[5]}-part1"))
    return ZpoolCreate(name="new", mountpoint="/new", vdevs=(single, pair))


def _gone(host: SimulatedHost) -> ZpoolCreate:
    missing = VdevSpec(role="data", layout="stripe", devices=("/dev/disk/by-id/ata-GONE-part1",))
    return ZpoolCreate(name="new", mountpoint="/new", vdevs=(missing,))


def _whole(host: SimulatedHost) -> ZpoolCreate:
    disk = VdevSpec(role="data", layout="stripe", devices=(_links(host)[4],))
    return ZpoolCreate(name="new", mountpoint="/new", vdevs=(disk,), force=True)


CASES: dict[str, Callable[[SimulatedHost], Command]] = {
    "zpool-create-name-exists": lambda h: _new(h, 3, 4, name="tank", mountpoint="none"),
    "zpool-create-name-exists-mounted": lambda h: _new(h, 3, 4, name="tank", mountpoint="/tank"),
    "zpool-create-invalid-name": lambda h: _new(h, 3, 4, name="mirror", mountpoint="/mirror"),
    "zpool-create-member-of-imported-pool": lambda h: _new(h, 1, 3),
    "zpool-create-member-of-imported-pool-forced": lambda h: _new(h, 1, 3, force=True),
    "zpool-create-mounted-partition": lambda h: _new(h, 5, 3),
    "zpool-create-mounted-partition-forced": lambda h: _new(h, 5, 3, force=True),
    "zpool-create-disk-with-mounted-partition": _whole,
    "zpool-create-too-few-for-raidz2": lambda h: _new(h, 3, 4, layout="raidz2"),
    "zpool-create-unequal-sizes": lambda h: _new(h, 3, 4, 6),
    "zpool-create-unequal-levels": _uneven,
    "zpool-create-missing-device": _gone,
    "zpool-create-bad-property": lambda h: _new(h, 3, layout="stripe", properties={"ashift": "99"}),
    "zpool-create-bad-root-property": lambda h: _new(
        h, 3, layout="stripe", root_properties={"compression": "zip"}
    ),
    "zpool-destroy-missing": lambda h: ZpoolDestroy(name="nothing"),
    "zpool-status-missing": lambda h: ZpoolErrors(name="nothing"),
    "zpool-scrub-stop-none": lambda h: ZpoolScrub(name="tank", action="stop"),
    "zpool-add-unequal-levels": lambda h: ZpoolAdd(
        name="tank", vdevs=(VdevSpec(role="data", layout="stripe", devices=(f"{_links(h)[2]}-part1",)),)
    ),
    "zfs-create-missing-parent": lambda h: ZfsCreate(name="tank/no/child"),
    "zfs-create-exists": lambda h: ZfsCreate(name="tank/data"),
    "zfs-create-volume-too-big": lambda h: ZfsCreate(name="tank/big", volume_bytes=100 << 40),
    "zfs-set-bad-value": lambda h: ZfsSet(name="tank/data", properties={"compression": "zip"}),
    "zfs-set-unknown-property": lambda h: ZfsSet(name="tank/data", properties={"nonsense": "1"}),
    "zfs-set-readonly-property": lambda h: ZfsSet(name="tank/data", properties={"used": "1"}),
    "zfs-set-quota-below-used": lambda h: ZfsSet(name="tank/data", properties={"quota": "1M"}),
    "zfs-set-missing-dataset": lambda h: ZfsSet(name="tank/nothing", properties={"atime": "off"}),
    "zfs-list-missing": lambda h: ZfsListSnapshots(datasets=("tank/nothing",)),
    "zfs-rollback-not-latest": lambda h: _without_gone(h, ZfsRollback(snapshot="tank/data/child@one")),
    "zfs-rollback-held-newer": lambda h: ZfsRollback(snapshot="tank/data/child@one", newer=True),
    "zfs-hold-exists": lambda h: ZfsHold(names=("tank/data/child@held",), tag="keep0"),
    "zfs-hold-missing": lambda h: ZfsHold(names=("tank/data/child@nothing",), tag="keep"),
    "zfs-release-missing": lambda h: ZfsRelease(names=("tank/data/child@one",), tag="keep"),
    "zfs-clone-exists": lambda h: ZfsClone(snapshot="tank/data/child@one", name="tank/clone"),
    "zfs-clone-missing-parent": lambda h: ZfsClone(snapshot="tank/data/child@one", name="tank/no/clone"),
    "zfs-clone-other-pool": lambda h: ZfsClone(snapshot="tank/data/child@one", name="other/clone"),
    "zfs-clone-missing-snapshot": lambda h: ZfsClone(snapshot="tank/data/child@nothing", name="tank/new"),
    "zfs-rename-snapshot-exists": lambda h: ZfsRenameSnapshot(name="tank/data/child@one", tag="gone"),
    "zfs-diff-reversed": lambda h: ZfsDiff(older="tank/data/child@gone", newer="tank/data/child@one"),
    "zfs-diff-missing": lambda h: ZfsDiff(older="tank/data/child@nothing"),
    "zfs-destroy-with-children": lambda h: ZfsDestroy(name="tank/data"),
    "zfs-destroy-with-snapshots": lambda h: ZfsDestroy(name="tank/data/child"),
    "zfs-destroy-with-clones": lambda h: ZfsDestroy(name="tank/data/child", recursive=True),
    "zfs-destroy-missing": lambda h: ZfsDestroy(name="tank/nothing"),
    "zfs-snapshot-exists": lambda h: ZfsSnapshot(names=("tank/data/child@one",)),
    "zfs-snapshot-missing-dataset": lambda h: ZfsSnapshot(names=("tank/nothing@one",)),
    "zfs-destroy-snapshot-with-clone": lambda h: ZfsDestroySnapshots(
        dataset="tank/data/child", tags=("one",)
    ),
    "zfs-destroy-snapshot-held": lambda h: ZfsDestroySnapshots(dataset="tank/data/child", tags=("held",)),
    "zfs-destroy-snapshot-missing": lambda h: ZfsDestroySnapshots(
        dataset="tank/data/child", tags=("nothing",)
    ),
    "zfs-destroy-snapshots-some-missing": lambda h: ZfsDestroySnapshots(
        dataset="tank/data/child", tags=("gone", "nothing")
    ),
    "wipefs-mounted-disk": lambda h: WipeSignatures(disk=_links(h)[4]),
    "wipefs-mounted-partition": lambda h: WipeSignatures(disk=_links(h)[4], partitions=(1,)),
    "wipefs-pool-member": lambda h: WipeSignatures(disk=_links(h)[0], partitions=(1,)),
    "udevadm-lock-missing": lambda h: WipeSignatures(disk="/dev/disk/by-id/ata-GONE"),
}
# What has to happen on the machine before the command is refused.
BUSY: dict[str, tuple[str, Callable[[SimulatedHost], Command]]] = {
    "zpool-destroy-busy": ("tank", lambda h: ZpoolDestroy(name="tank")),
    "zpool-export-busy": ("tank", lambda h: ZpoolExport(name="tank")),
    "zfs-destroy-busy": ("tank/busy", lambda h: ZfsDestroy(name="tank/busy")),
}


def _said(host: SimulatedHost, command: Command) -> Result:
    try:
        return host.run(command)
    except CommandFailed as failure:
        return failure.result


def _recorded(case: str, host: SimulatedHost) -> Result:
    kept = json.loads((ERRORS / f"{case}.json").read_text())
    texts = [kept["stdout"], kept["stderr"]]
    for number, link in enumerate(_links(host), 1):
        texts = [text.replace(_RECORDED.format(number), link) for text in texts]
    return Result(exit=kept["exit"], stdout=texts[0], stderr=texts[1])


@pytest.mark.parametrize("case", CASES)
def test_a_refusal_is_word_for_word_the_real_one(
    host: SimulatedHost, case: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The programs were recorded themselves, without the helper that refuses some of this before them.
    monkeypatch.setattr(exclusive, "refusal", lambda machine, command: None)
    assert _said(host, CASES[case](host)) == _recorded(case, host)


# Where a path was typed on the recorded machine, and a guid is here.
BY_GUID: dict[str, Callable[[str, str], Command]] = {
    "zpool-offline-last": lambda guid, _: ZpoolOffline(name="tank", vdev=guid),
    "zpool-replace-too-small": lambda guid, to: ZpoolReplace(name="tank", vdev=guid, device=to),
    "zpool-remove-missing": lambda _, __: ZpoolRemove(name="tank", vdev="42"),
    "zpool-import-missing": lambda _, __: ZpoolImport(guid="42"),
}


@pytest.mark.parametrize("case", BY_GUID)
def test_a_refusal_that_names_a_guid_is_otherwise_the_real_one(host: SimulatedHost, case: str) -> None:
    one, two = host.machine().pools["tank"].vdevs[0].children
    leaf, typed = (two, 1) if case == "zpool-offline-last" else (one, 0)
    if case == "zpool-offline-last":
        host.run(ZpoolOffline(name="tank", vdev=str(one.guid)))
    kept = _recorded(case, host)
    shown = (
        f"{_links(host)[typed]}-part1"
        if case in {"zpool-offline-last", "zpool-replace-too-small"}
        else "nothing"
    )
    guid = "42" if shown == "nothing" else str(leaf.guid)
    said = _said(host, BY_GUID[case](guid, f"{_links(host)[5]}-part1"))
    assert (said.exit, said.stderr) == (kept.exit, kept.stderr.replace(shown, guid, 1))


@pytest.mark.parametrize("case", BUSY)
def test_what_is_busy_is_refused_word_for_word(host: SimulatedHost, case: str) -> None:
    dataset, command = BUSY[case]
    host.hold_open(dataset)
    assert _said(host, command(host)) == _recorded(case, host)
    host.hold_open(dataset, busy=False)
    assert _said(host, command(host)).exit == 0


def test_an_exported_pool_is_refused_word_for_word(host: SimulatedHost) -> None:
    for link in _links(host)[2:4]:
        host.occupy(link, "exported-pool")
    assert _said(host, _new(host, 3, 4)) == _recorded("zpool-create-member-of-exported-pool", host)
    assert host.run(_new(host, 3, 4, force=True)).exit == 0


def test_a_full_mountpoint_is_refused_word_for_word(host: SimulatedHost) -> None:
    kept = _recorded("zpool-create-mountpoint-full", host)
    said = _said(host, _new(host, 3, layout="stripe", mountpoint="/tank"))
    assert (said.exit, said.stderr) == (kept.exit, kept.stderr.replace("/new", "/tank"))


_NAMES = json.loads((ERRORS / "pool-names.json").read_text())


def _is_sent(name: str) -> bool:
    """Whether the helper would run a command with it at all."""
    try:
        msgspec.convert(name, PoolName)
    except msgspec.ValidationError:
        return False
    return True


_SENT = [row for row in _NAMES if _is_sent(row["name"])]


@pytest.mark.parametrize("row", _SENT, ids=lambda row: row["name"][:30])
def test_pool_names_are_taken_and_refused_as_really(host: SimulatedHost, row: dict[str, str | int]) -> None:
    command = _new(host, 3, layout="stripe", name=row["name"], mountpoint="none", force=True)
    said = _said(host, command)
    assert (said.exit, said.stderr) == (row["exit"], row["stderr"])


_LEFTOVERS = json.loads((ERRORS / "leftovers.json").read_text())
# Of the ways to erase, those that our commands go: none wipes a partition and leaves its disk.
_OURS = [
    row
    for row in _LEFTOVERS
    if row["erased_by"].startswith(("true", "wipefs")) and ";" not in row["erased_by"]
]


def _erase(host: SimulatedHost, how: str, disk: str) -> None:
    if how.startswith("wipefs"):
        host.run(WipeSignatures(disk=disk, partitions=(1,) if "-part1 " in how else ()))


@pytest.mark.parametrize(
    "row",
    _OURS,
    ids=lambda row: f"{row['before']} after {row['erased_by'].partition('/dev')[0]}{len(row['erased_by'])}",
)
def test_what_erasing_leaves_is_what_it_really_leaves(host: SimulatedHost, row: dict[str, str | int]) -> None:
    disk = _links(host)[2]
    before = str(row["before"])
    kinds = {"exported pool": "exported-pool", "destroyed pool": "destroyed-pool", "ext4": "unmounted-ntfs"}
    host.occupy(disk, kinds[before])  # type: ignore[arg-type]
    _erase(host, str(row["erased_by"]), disk)
    host.run(WritePartition(disk=disk, size_mib=_MIB_OF_WHOLE))
    (part,) = host.machine().disks[2].partitions
    assert (part.content is not None) == bool(row["blkid"])
    assert (part.content is not None and part.content.pool_state is not None) == row["zfs_labels"]
    assert _said(host, _new(host, 3, layout="stripe")).exit == row["create_exit"]
