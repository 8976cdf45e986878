"""`python -m tests.lab.recording.leftovers`: what erasing leaves for a partition made at the same place.

Kept in tests/transcripts/errors/leftovers.json, a row for each way and each thing that was there before.
"""

import json

from tests.lab.builder import build_image
from tests.lab.machine import Machine
from tests.lab.recording.record import TRANSCRIPTS
from tests.lab.recording.states import SATA, link, partition_mib

DISK = link(SATA[0])
PART = f"{DISK}-part1"
SIZE = f"+{partition_mib(SATA[0])}M"
PARTITION = f"sgdisk --clear --new=1:1M:{SIZE} --typecode=1:BF01 {DISK}"

BEFORE = {
    "exported pool": f"zpool create -f old {PART}; zpool export old",
    "destroyed pool": f"zpool create -f old {PART}; zpool destroy old",
    "ext4": f"mkfs.ext4 -q -F -L Backup {PART}",
}
ERASE = {
    "nothing": "true",
    "sgdisk --zap-all on the disk": f"sgdisk --zap-all {DISK}",
    "wipefs --all on the disk": f"wipefs --all --quiet {DISK}",
    "wipefs --all on the partition, then the disk": f"wipefs --all --quiet {PART} {DISK}",
    "zpool labelclear on the partition": f"zpool labelclear -f {PART}",
    "wipefs and labelclear on the partition": f"wipefs --all --quiet {PART}; zpool labelclear -f {PART}",
}


def main() -> None:
    """Boots one machine and tries every pair."""
    with Machine(build_image(), SATA[:1]) as machine:
        machine.boot()
        rows = [_try(machine, before, erase) for before in BEFORE for erase in ERASE]
    (TRANSCRIPTS / "errors" / "leftovers.json").write_text(json.dumps(rows, indent=2) + "\n")


def _try(machine: Machine, before: str, erase: str) -> dict[str, object]:
    machine.run(f"{PARTITION}; udevadm settle; wipefs --all --quiet {PART}; zpool labelclear -f {PART}; true")
    machine.run(f"{BEFORE[before]}; udevadm settle")
    erased = machine.run(ERASE[erase], check=False)
    machine.run(f"{PARTITION}; udevadm settle")
    seen = machine.run(f"lsblk -no FSTYPE,LABEL {PART}").stdout.strip()
    # zdb prints each distinct label once; zpool import ends with 0 whether or not it finds a pool.
    labels = "LABEL 0" in machine.run(f"zdb -l {PART}", check=False).stdout
    importable = "pool: old" in machine.run("zpool import -d /dev/disk/by-id").stdout
    destroyed = "pool: old" in machine.run("zpool import -D -d /dev/disk/by-id").stdout
    create = machine.run(f"zpool create new {PART}", check=False)
    machine.run("zpool destroy new", check=False)
    return {
        "before": before,
        "erased_by": ERASE[erase],
        "erase_exit": erased.exit,
        "blkid": seen,
        "zfs_labels": labels,
        "importable": importable,
        "importable_as_destroyed": destroyed,
        "create_exit": create.exit,
        "create_stderr": create.stderr,
    }


if __name__ == "__main__":
    main()
