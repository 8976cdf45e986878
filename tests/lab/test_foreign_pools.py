"""Pools that were prepared elsewhere to take this machine over: imported, and met again by the next start."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.lab.builder import build_image, built_release
from tests.lab.machine import Machine
from tests.lab.pool_life import DISKS, PoolLab

pytestmark = pytest.mark.drill

_HOSTID = "/sys/module/spl/parameters/spl_hostid"
# All that a pool could want to replace: what lies there is what root reads and runs.
_ASKED = "/etc/sudoers /etc/sudoers.d /etc/cron.d /etc/systemd /etc/profile.d"
_SUM = f"find {_ASKED} -type f -print0 | sort -z | xargs -0 sha256sum | sha256sum"

# The folder below which it is prepared keeps all of it apart from this machine's own.
_PREPARE = """
set -e
echo 0x51c0ffee > {hostid}
sgdisk --zap-all --new=1:1M:0 --typecode=1:BF01 {disk} > /dev/null
udevadm settle
zpool create -f -R /mnt/prepare -O mountpoint=/mnt/{name} {name} {disk}-part1
install -m 4755 /usr/bin/id /mnt/prepare/mnt/{name}/suid
ln -s /etc /mnt/prepare/mnt/{name}/way
zfs create -o mountpoint=/etc/sudoers.d {name}/root
echo 'nobody ALL=(ALL) NOPASSWD: ALL' > /mnt/prepare/etc/sudoers.d/{name}
zfs create {name}/root/below
zfs create -o mountpoint=/etc/systemd/system.control -o canmount=noauto {name}/units
zfs set canmount=on {name}/units
zfs create -o mountpoint=/mnt/{name}/way/cron.d -o canmount=noauto {name}/through
zfs set canmount=on {name}/through
zfs create -o setuid=on {name}/data
echo of mine > /mnt/prepare/mnt/{name}/data/file
zfs set -u sharenfs=rw=*,no_root_squash {name}
zfs set -u sharesmb=on {name}/root
# The console's worker may be reading the new pool just now, and holds it for as long.
for try in $(seq 30); do zpool export {name} && break; sleep 1; done
zpool list {name} 2> /dev/null && exit 1
rmdir --ignore-fail-on-non-empty -p /mnt/prepare/mnt/{name} || true
echo 0 > {hostid}
"""


@pytest.fixture(scope="module")
def lab() -> Iterator[PoolLab]:
    """A machine of its own: a drill that fails may leave it without an /etc that could be trusted."""
    with Machine(build_image(built_release()), DISKS[:4]) as nas:
        nas.boot()
        yield PoolLab(nas)


def prepare(lab: PoolLab, name: str, number: int) -> None:
    """A hostile pool on a disk, exported by a machine with another number."""
    disk = f"/dev/disk/by-id/{lab.ids(number)[0]}"
    lab.machine.run(_PREPARE.format(hostid=_HOSTID, name=name, disk=disk), timeout_s=180)
    lab.machine.run("udevadm settle")


def mounts(lab: PoolLab) -> dict[str, str]:
    """Where file systems of pools are mounted."""
    lines = lab.machine.run("findmnt -rn -t zfs -o SOURCE,TARGET", check=False).stdout.splitlines()
    return dict(line.split(" ", 1) for line in lines)


def options(lab: PoolLab, place: str) -> set[str]:
    return set(lab.machine.run(f"findmnt -rno OPTIONS {place}").stdout.strip().split(","))


def value(lab: PoolLab, dataset: str, name: str) -> str:
    return str(lab.machine.run(f"zfs get -Hpo value {name} {dataset}").stdout.strip())


def nothing_is_shared(lab: PoolLab) -> None:
    said = lab.machine.run("exportfs -v").stdout + lab.machine.run("cat /etc/exports.d/*", check=False).stdout
    assert "/mnt/evil" not in said and "/mnt/hand" not in said, said
    assert "evil" not in lab.machine.run("net usershare list 2>/dev/null", check=False).stdout


def found_by_doctor(lab: PoolLab) -> dict[str, Any]:
    lab.console.fresh()
    found = lab.console.get("doctor/?limit=1000")["results"]
    return {one["subject"]["name"]: one for one in found if one["code"] == "mount-refused"}


def outputs(job: dict[str, Any]) -> str:
    return str(job["steps"])


def test_a_hostile_pool_is_imported_and_takes_nothing_over_not_even_after_a_start(lab: PoolLab) -> None:
    machine, console = lab.machine, lab.console
    before = machine.run(_SUM).stdout
    lab.create("tank", "stripe", 1)
    console.do("POST", "datasets/", {"name": "tank/media"})
    prepare(lab, "evil", 2)
    prepare(lab, "hand", 3)
    assert machine.run(_SUM).stdout == before
    console.fresh()

    # One that this console made comes back as it was.
    console.do("POST", "pools/tank/export/", {})
    found = {pool["name"]: pool for pool in lab.importable_pools()}
    assert {"tank", "evil", "hand"} <= found.keys()
    console.do("POST", "pools/import/", {"guid": found["tank"]["guid"]})
    own = {"tank": "/mnt/tank", "tank/media": "/mnt/tank/media"}
    assert mounts(lab) == own
    assert value(lab, "tank", "setuid") == "on"

    # The other one is reported as another machine's, and only what may be mounted is.
    body = {"guid": found["evil"]["guid"], "force": True}
    plan = console.ask("POST", "pools/import/?dry_run=true", body).body
    assert "foreign" in {finding["code"] for finding in plan["findings"]}, plan
    job = console.do("POST", "pools/import/", body)
    good = {"evil": "/mnt/evil", "evil/data": "/mnt/evil/data"}
    assert mounts(lab) == own | good
    assert machine.run(_SUM).stdout == before
    nothing_is_shared(lab)
    assert "evil/through stays unmounted: /mnt/evil/way/cron.d leads to /etc/cron.d." in outputs(job)
    assert value(lab, "evil/root", "mountpoint") == "none"
    assert value(lab, "evil/root", "nasweb:asked-mountpoint") == "/etc/sudoers.d"
    assert value(lab, "evil/units", "mountpoint") == "none"
    shares = [value(lab, name, share) for name in ("evil", "evil/root") for share in ("sharenfs", "sharesmb")]
    assert shares == ["off"] * 4
    for place in good.values():
        assert {"nosuid", "nodev"} <= options(lab, place)
    assert {"evil/root", "evil/units"} <= found_by_doctor(lab).keys()

    # A third one comes in by hand, so that the next start finds it as it was prepared.
    machine.run("zpool import -f -N -d /dev/disk/by-id hand")
    machine.reboot()
    assert machine.run(_SUM).stdout == before
    assert mounts(lab) == own | good | {"hand": "/mnt/hand", "hand/data": "/mnt/hand/data"}
    nothing_is_shared(lab)
    said = machine.run("journalctl -b -u zfs-mount.service -o cat").stdout
    assert "hand/root stays unmounted: /etc/sudoers.d belongs to the system." in said
    assert "hand/through stays unmounted: /mnt/hand/way/cron.d leads to /etc/cron.d." in said
    assert machine.run("systemctl is-failed zfs-mount.service", check=False).stdout.strip() == "active"
    assert machine.run("systemctl is-enabled zfs-share.service", check=False).stdout.strip() == "masked"
    assert {"evil/root", "hand/root"} <= found_by_doctor(lab).keys()

    # The way on: one mount point, and what inherits it follows.
    console.do("PATCH", "datasets/evil/root/", {"properties": {"mountpoint": "/mnt/evil/root"}})
    there = {"evil/root": "/mnt/evil/root", "evil/root/below": "/mnt/evil/root/below"}
    assert there.items() <= mounts(lab).items()
    assert "evil/root" not in found_by_doctor(lab)


def test_read_only_it_is_not_changed_and_harmless_all_the_same(lab: PoolLab) -> None:
    machine, console = lab.machine, lab.console
    before = machine.run(_SUM).stdout
    prepare(lab, "evil2", 4)
    console.fresh()
    found = {pool["name"]: pool for pool in lab.importable_pools()}
    body = {"guid": found["evil2"]["guid"], "readonly": True, "force": True}
    job = console.do("POST", "pools/import/", body)
    there = {name: place for name, place in mounts(lab).items() if name.split("/")[0] == "evil2"}
    assert there == {"evil2": "/mnt/evil2", "evil2/data": "/mnt/evil2/data"}
    assert {"nosuid", "nodev", "ro"} <= options(lab, "/mnt/evil2")
    assert "evil2/root stays unmounted: /etc/sudoers.d belongs to the system." in outputs(job)
    assert value(lab, "evil2/root", "mountpoint") == "/etc/sudoers.d"
    assert machine.run(_SUM).stdout == before
    console.do("POST", "pools/evil2/export/", {})

    # Below a folder all of it may be seen.
    lab.importable_pools()
    console.do("POST", "pools/import/", body | {"altroot": "/mnt/look"})
    assert mounts(lab)["evil2/root"] == "/mnt/look/etc/sudoers.d"
    assert machine.run(_SUM).stdout == before


# Whole rows of `zfs get` and `zfs holds` for another pool, in values that this one brings.
_LIES = r"""
set -e
sgdisk --zap-all --new=1:1M:0 --typecode=1:BF01 {disk} > /dev/null
udevadm settle
zpool create -f -m /mnt/liar liar {disk}-part1
row() {{ printf '%s\t%s\t%s\tlocal\n' "$1" "$2" "$3"; }}
end=$(printf 'z\tlies:end\t-')
all() {{ row "$1" type volume; row "$1" guid 1; row "$1" mounted no; row "$1" mountpoint /etc; }}
zfs set "lies:rows=$(printf 'x\tlocal\n%s\n%s' "$(all tank)" "$end")" liar
zfs set "lies:policy=$(printf 'x\tlocal\n%s\n%s' "$(row tank nasweb:policy '{{}}')" "$end")" liar
zfs set "lies:none=$(printf 'x\tlocal\n%s\n%s' "$(all tank/none)" "$end")" liar
zfs set "lies:bytes=$(printf '\377')" liar
zfs snapshot tank@one
zfs snapshot liar@one
zfs hold "$(printf 'z\nno row')" liar@one
"""


def test_what_values_of_a_pool_say_of_another_one_is_not_believed(lab: PoolLab) -> None:
    machine, console = lab.machine, lab.console
    if machine.run("zpool list tank", check=False).exit:
        lab.create("tank", "stripe", 1)  # where this drill runs alone
    machine.run("! zpool list evil2 || zpool export evil2")
    console.fresh()
    before = console.get("datasets/tank/")
    disk = f"/dev/disk/by-id/{lab.ids(4)[0]}"
    machine.run(_LIES.format(disk=disk), timeout_s=180)
    console.fresh()
    after = console.get("datasets/tank/")
    assert "nasweb:policy" not in after["properties"]
    for report in ("kind", "guid", "mounted", "mountpoint"):
        assert after[report] == before[report], report
    names = {one["name"] for one in console.get("datasets/?limit=1000")["results"]}
    assert {"tank", "liar"} <= names
    assert "tank/none" not in names
    machine.run(
        "zfs release \"$(printf 'z\\nno row')\" liar@one && zpool destroy liar && zfs destroy tank@one"
    )


_BYTES = r"""
set -e
sgdisk --zap-all --new=1:1M:0 --typecode=1:BF01 {disk} > /dev/null
udevadm settle
zpool create -f -m /mnt/bytes bytes {disk}-part1
zpool set "its:bytes=$(printf '\377')" bytes
zpool export bytes
"""


def test_a_pool_whose_values_break_off_what_zpool_says_is_let_go(lab: PoolLab) -> None:
    machine, console = lab.machine, lab.console
    machine.run("! zpool list evil2 || zpool export evil2")
    disk = f"/dev/disk/by-id/{lab.ids(4)[0]}"
    machine.run(_BYTES.format(disk=disk), timeout_s=180)
    found = {pool["name"]: pool["guid"] for pool in lab.importable_pools()}
    assert "bytes" in found, machine.run(
        "zpool import; zpool list; lsblk -o NAME,PARTTYPE,FSTYPE,LABEL"
    ).stdout
    for more in ({}, {"readonly": True}):
        job = console.end_of(console.submit("POST", "pools/import/", {"guid": found["bytes"]} | more))
        assert job["state"] == "failed"
        assert "bytes was exported again: it holds values that are not UTF-8" in outputs(job) + str(job)
        assert machine.run("zpool list bytes", check=False).exit == 1
    console.fresh()
    assert "bytes" not in {pool["name"] for pool in console.get("pools/?limit=1000")["results"]}
