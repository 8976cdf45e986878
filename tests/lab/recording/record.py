"""`python -m tests.lab.recording.record [NAME...]`: keeps what real machines say in tests/transcripts."""

import sys
from pathlib import Path

from tests.lab.builder import build_image
from tests.lab.machine import Machine
from tests.lab.recording.states import STATES, State

TRANSCRIPTS = Path(__file__).parents[2] / "transcripts"
COLUMNS = (
    "NAME,KNAME,PATH,TYPE,PKNAME,SIZE,PHY-SEC,LOG-SEC,ROTA,RM,TRAN,VENDOR,MODEL,SERIAL,WWN,HCTL,"
    "FSTYPE,LABEL,UUID,PTTYPE,PARTTYPE,PARTN,START,MOUNTPOINTS"
)
DATASETS = "-Hp -t filesystem,volume"

OUTPUTS = {
    "lsblk.json": f"lsblk -J -b -o {COLUMNS}",
    "links.txt": r"find /dev/disk/by-id /dev/disk/by-path -type l -printf '%p\t%l\n' | sort",
    "udev.txt": "udevadm info --export-db --subsystem-match=block",
    "zpool-status.json": "zpool status -jP --json-int -p",
    "zpool-list.json": "zpool list -jp --json-int",
    "zpool-get.json": "zpool get -jp --json-int all",
    "zpool-import.txt": "zpool import -d /dev/disk/by-id 2>&1",
    "zfs-list.txt": f"zfs list {DATASETS} -o name,type,used,avail,refer,mountpoint,guid,createtxg,creation",
    "zfs-get.txt": f"zfs get {DATASETS} -o name,property,value,source all",
    "snapshots.txt": "zfs list -Hp -t snapshot -o name,guid,creation,used,referenced,userrefs",
    "mdstat.txt": "cat /proc/mdstat",
    "mdadm-detail.txt": "for md in $(cd /sys/block; ls -d md*); do mdadm --detail --export /dev/$md; done",
    "swaps.txt": "cat /proc/swaps",
    "mounts.txt": "cat /proc/self/mountinfo",
    "zfs-version.json": "zfs version -j",
    "zfs-module-version.txt": "cat /sys/module/zfs/version",
    "meminfo.txt": "cat /proc/meminfo",
    "uname.txt": "uname -r",
    "edac.txt": "find /sys/devices/system/edac | sort",
}


def record(name: str, state: State) -> None:
    """Boots a blank machine, brings it into the state and keeps what it says."""
    folder = TRANSCRIPTS / name
    folder.mkdir(parents=True, exist_ok=True)
    with Machine(build_image(), state.disks) as machine:
        machine.boot()
        state.prepare(machine)
        for file, command in OUTPUTS.items():
            (folder / file).write_text(machine.run(command, check=False).stdout)
        for disk in state.smart:
            path = f"/dev/{machine.kernel_name(disk)}"
            answer = machine.run(f"smartctl -j -a -n standby {path}", check=False)
            (folder / f"smart-{disk}.json").write_text(answer.stdout)


if __name__ == "__main__":
    for name in sys.argv[1:] or STATES:
        print(name, flush=True)
        record(name, STATES[name])
