"""`python -m tests.lab.recording.refusals`: keeps how the tools refuse in tests/transcripts/errors."""

import json

from tests.lab.builder import build_image
from tests.lab.machine import Machine
from tests.lab.recording.record import TRANSCRIPTS
from tests.lab.recording.states import ROOT, SATA, link, partition

ONE, TWO, THREE, FOUR, FIVE, SIX = (link(disk) for disk in SATA)
A, B, C, D, E = (f"{each}-part1" for each in (ONE, TWO, THREE, FOUR, FIVE))

# A process with an open file keeps a file system busy.
HOLD = "sleep 600 9>{}/open </dev/null >&- 2>&- &"
RELEASE = "pkill -x sleep; zfs mount -a"

# Case → (what comes first, the command that is refused, what tidies up).
CASES = {
    "zpool-create-name-exists": ("", f"zpool create -m none tank mirror {C} {D}", ""),
    "zpool-create-name-exists-mounted": ("", f"zpool create tank mirror {C} {D}", ""),
    "zpool-create-invalid-name": ("", f"zpool create mirror mirror {C} {D}", ""),
    "zpool-create-member-of-imported-pool": ("", f"zpool create new mirror {A} {C}", ""),
    "zpool-create-member-of-imported-pool-forced": ("", f"zpool create -f new mirror {A} {C}", ""),
    "zpool-create-member-of-exported-pool": (
        f"zpool create {ROOT} old mirror {C} {D}; zpool export old",
        f"zpool create new mirror {C} {D}",
        "zpool import -d /dev/disk/by-id old; zpool destroy old",
    ),
    "zpool-create-mounted-partition": ("", f"zpool create new mirror {E} {C}", ""),
    "zpool-create-mounted-partition-forced": ("", f"zpool create -f new mirror {E} {C}", ""),
    "zpool-create-disk-with-mounted-partition": ("", f"zpool create -f new {FIVE}", ""),
    "zpool-create-unmounted-file-system": ("umount /mnt", f"zpool create new {E}", f"mount {E} /mnt"),
    "zpool-create-too-few-for-raidz2": ("", f"zpool create new raidz2 {C} {D}", ""),
    "zpool-create-unequal-sizes": ("", f"zpool create new mirror {C} {D} {SIX}-part1", ""),
    "zpool-create-unequal-levels": ("", f"zpool create new {C} mirror {D} {SIX}-part1", ""),
    "zpool-add-unequal-levels": ("", f"zpool add tank {C}", ""),
    "zpool-create-missing-device": ("", "zpool create new /dev/disk/by-id/ata-GONE-part1", ""),
    "zpool-create-mountpoint-full": ("mkdir /new; touch /new/x", f"zpool create new {C}", "rm -r /new"),
    "zpool-create-bad-property": ("", f"zpool create -o ashift=99 new {C}", ""),
    "zpool-create-bad-root-property": ("", f"zpool create -O compression=zip new {C}", ""),
    "zpool-destroy-busy": (HOLD.format("/tank"), "zpool destroy tank", RELEASE),
    "zpool-export-busy": (HOLD.format("/tank"), "zpool export tank", RELEASE),
    "zpool-destroy-missing": ("", "zpool destroy nothing", ""),
    "zpool-import-missing": ("", "zpool import -d /dev/disk/by-id nothing", ""),
    "zpool-replace-too-small": ("", f"zpool replace tank {A} {SIX}-part1", ""),
    "zpool-offline-last": (f"zpool offline tank {A}", f"zpool offline tank {B}", f"zpool online tank {A}"),
    "zpool-scrub-stop-none": ("", "zpool scrub -s tank", ""),
    "zpool-remove-missing": ("", "zpool remove tank nothing", ""),
    "zpool-status-missing": ("", "zpool status -jP --json-int nothing", ""),
    "zfs-create-missing-parent": ("", "zfs create tank/no/child", ""),
    "zfs-create-exists": ("", "zfs create tank/data", ""),
    "zfs-create-invalid-name": ("", "zfs create tank/a@b", ""),
    "zfs-create-volume-too-big": ("", "zfs create -V 100T tank/big", ""),
    "zfs-set-bad-value": ("", "zfs set compression=zip tank/data", ""),
    "zfs-set-unknown-property": ("", "zfs set nonsense=1 tank/data", ""),
    "zfs-set-readonly-property": ("", "zfs set used=1 tank/data", ""),
    "zfs-set-quota-below-used": ("", "zfs set quota=1M tank/data", ""),
    "zfs-set-missing-dataset": ("", "zfs set atime=off tank/nothing", ""),
    "zfs-list-missing": ("", "zfs list -Hp tank/nothing", ""),
    "zfs-destroy-with-children": ("", "zfs destroy tank/data", ""),
    "zfs-destroy-with-snapshots": ("", "zfs destroy tank/data/child", ""),
    "zfs-destroy-with-clones": ("", "zfs destroy -r tank/data/child", ""),
    "zfs-destroy-busy": (HOLD.format("/tank/busy"), "zfs destroy tank/busy", RELEASE),
    "zfs-destroy-missing": ("", "zfs destroy tank/nothing", ""),
    "zfs-snapshot-exists": ("", "zfs snapshot tank/data/child@one", ""),
    "zfs-snapshot-missing-dataset": ("", "zfs snapshot tank/nothing@one", ""),
    "zfs-destroy-snapshot-with-clone": ("", "zfs destroy tank/data/child@one", ""),
    "zfs-destroy-snapshot-held": ("", "zfs destroy tank/data/child@held", ""),
    "zfs-destroy-snapshot-missing": ("", "zfs destroy tank/data/child@nothing", ""),
    "zfs-destroy-snapshots-some-missing": ("", "zfs destroy tank/data/child@gone,nothing", ""),
    "zfs-rollback-not-latest": ("", "zfs rollback tank/data/child@one", ""),
    "zfs-rename-exists": ("", "zfs rename tank/data/child tank/busy", ""),
    "zfs-mount-busy-target": ("", "zfs mount tank/data", ""),
    "zfs-load-key-wrong": (
        "zfs unmount tank/secret; zfs unload-key tank/secret",
        "echo wrong-wrong | zfs load-key tank/secret",
        "",
    ),
    "sgdisk-zap-mounted": ("", f"sgdisk --zap-all {FIVE}", ""),
    "sgdisk-clear-mounted": ("", f"udevadm lock --device={FIVE} sgdisk --clear --new=1:1M:+1000M {FIVE}", ""),
    "wipefs-mounted-disk": ("", f"wipefs --all --quiet {FIVE}", ""),
    "wipefs-mounted-partition": ("", f"wipefs --all --quiet {E}", ""),
    "wipefs-pool-member": ("", f"wipefs --all --quiet {A}", ""),
    "mkfs-mounted": ("", f"mkfs.ext4 -q {E}", ""),
    "labelclear-nothing": (f"zpool labelclear -f {D}", f"zpool labelclear -f {D}", ""),
    "labelclear-imported": ("", f"zpool labelclear -f {A}", ""),
    "mdadm-create-busy": ("", f"mdadm --create /dev/md9 --run --level=1 --raid-devices=2 {A} {E}", ""),
    "mdadm-detail-missing": ("", "mdadm --detail --export /dev/md9", ""),
    "smartctl-missing": ("", "smartctl -j -a /dev/nothing", ""),
    "lsblk-missing": ("", "lsblk -J /dev/nothing", ""),
    "udevadm-lock-missing": ("", "udevadm lock --device=/dev/disk/by-id/ata-GONE true", ""),
    "udevadm-wait-timeout": ("", "udevadm wait --timeout=1 /dev/disk/by-id/ata-GONE", ""),
}  # fmt: skip

WORDS = """
    mirror mirror-x mirrored mirror1 raidz raidz1 raidz4 raidzfoo draid draid2 draidx spare spares spare-1
    log logs log1 cache special dedup replacing missing root indirect hole c0d0 c0t0 c0 c1t0d0 c12 cd0 ca
    tank@a tank#a 1tank -tank .tank _tank a/b %x tank%x tank:1 tank.1 tank_1 tank-1 tank+1 tank=1 tank,1
    tank~1 Tank TANK t täank import export all none disk file
"""
NAMES = (
    *WORDS.split(),
    "tank ",
    " tank",
    "ta nk",
    "",
    *("t" * length for length in (88, 239, 240, 255, 256)),
)


def main() -> None:
    """Boots one machine and writes one file a case, and `pool-names.json`."""
    folder = TRANSCRIPTS / "errors"
    folder.mkdir(parents=True, exist_ok=True)
    with Machine(build_image(), SATA) as machine:
        machine.boot()
        _prepare(machine)
        for case, (before, command, after) in CASES.items():
            machine.run(before or "true", check=False)
            answer = machine.run(command, check=False)
            machine.run(after or "true", check=False)
            kept = {"command": command, "exit": answer.exit, "stdout": answer.stdout, "stderr": answer.stderr}
            (folder / f"{case}.json").write_text(json.dumps(kept, indent=2) + "\n")
        (folder / "pool-names.json").write_text(
            json.dumps(_names(machine), indent=2, ensure_ascii=False) + "\n"
        )


def _prepare(machine: Machine) -> None:
    partition(machine, SATA[:4])
    machine.run(f"sgdisk --new=1:1M:+100G {FIVE}; sgdisk --new=1:1M:+50G {SIX}; udevadm settle")
    for command in (
        f"zpool create {ROOT} tank mirror {A} {B}",
        "zfs create tank/data; zfs create tank/data/child; zfs create tank/busy",
        "dd if=/dev/urandom of=/tank/data/file bs=1M count=5; zpool sync",
        "for name in one gone held; do zfs snapshot tank/data/child@$name; done",
        "zfs hold keep tank/data/child@held; zfs clone tank/data/child@one tank/clone",
        "echo password | zfs create -o encryption=on -o keyformat=passphrase tank/secret",
        f"mkfs.ext4 -q {E}; mount {E} /mnt; udevadm settle",
    ):
        machine.run(command)


def _names(machine: Machine) -> list[dict[str, object]]:
    """What `zpool create` says to each name, first with -n (which makes nothing), then in earnest."""
    answers: list[dict[str, object]] = []
    for name in NAMES:
        dry = machine.run(["zpool", "create", "-n", name, C], check=False)
        real = machine.run(["zpool", "create", "-f", "-m", "none", name, C], check=False)
        if real.exit == 0:
            machine.run(["zpool", "destroy", name])
        answers.append({"name": name, "dry_exit": dry.exit, "exit": real.exit, "stderr": real.stderr})
    return answers


if __name__ == "__main__":
    main()
