"""A request for each operation, as good as one machine allows: what hostile ones are made of."""

from __future__ import annotations

from typing import Any

SECRET = f"secret:{'0' * 32}"
_VDEV = {"role": "data", "layout": "mirror"}


def good_requests(disks: list[str], serial: str, vdev: str, guid: str) -> dict[str, dict[str, Any]]:
    """For a machine with the pool tank, tank/files with the snapshot s1, anna, family, shares of both kinds,
    the replication copies, of tank/clone to the target beside, the target attic (2) and a pairing.
    `disks` are free ones, the first with `serial`, `vdev` is the guid of a member of tank."""
    first, second = disks[:2]
    new = {"vdevs": [{**_VDEV, "disks": [first, second]}]}
    tank, files, array = {"name": "tank"}, {"name": "tank/files"}, {"name": "box"}
    snapshots = {"snapshots": ["tank/files@s1"]}
    disk = {"disk": first, "serial": serial}
    pool: dict[str, dict[str, Any]] = {
        "create": {
            **new, "name": "other", "mountpoint": "/mnt/other", "properties": {"comment": "x"},
            "root_properties": {"compression": "on"}, "passphrase": SECRET, "encryption": "on",
        },
        "destroy": tank, "export": tank, "relink": tank, "scrub": tank, "trim": tank, "initialize": tank,
        "import": {"guid": "1", "name": "old", "new_name": "new", "altroot": "/mnt/old"},
        "benchmark": tank, "stop-benchmark": tank, "estimate-dedup": tank, "stop-dedup-estimate": tank,
        "count-blocks": tank, "stop-counting-blocks": tank,
        "upgrade": tank, "checkpoint": tank, "clear": {**tank, "vdev": vdev},
        "add": {**tank, **new, "confirm": "tank"}, "attach": {**tank, "vdev": vdev, "disk": first},
        "detach": {**tank, "vdev": vdev, "confirm": "tank"},
        "replace": {**tank, "vdev": vdev, "disk": first, "confirm": "tank"},
        "offline": {**tank, "vdev": vdev, "confirm": "tank"}, "online": {**tank, "vdev": vdev},
        "remove": {**tank, "vdev": vdev}, "expand": {**tank, "vdev": vdev},
        "schedule": {"pool": "tank", "cron": "0 3 * * 0", "time_zone": "Etc/UTC"},
    }  # fmt: skip
    dataset: dict[str, dict[str, Any]] = {
        "create": {
            "name": "tank/new", "properties": {"mountpoint": "/mnt/new", "compression": "on"},
            "passphrase": SECRET, "encryption": "on",
        },
        "load-key": {"names": ["tank/files"], "passphrase": SECRET}, "unload-key": files,
        "change-key": {**files, "passphrase": SECRET}, "test-key": {**files, "passphrase": SECRET},
        "quota": {
            **files, "limits_bytes": {"quota": 1 << 40},
            "accounts": [{"kind": "user", "account": "anna", "limit_bytes": 1 << 30}],
        },
        "set": {**files, "properties": {"mountpoint": "/mnt/moved", "compression": "on"}},
        "share-blocks": {
            "dataset": "tank/files", "kept": "Letters/neighbour.txt", "paths": ["Letters/copy.txt"],
        },
        "scan-files": files, "stop-scan": files,
        "measure-compression": files, "stop-measuring-compression": files,
        "bulk-set": {"names": ["tank/files"], "properties": {"mountpoint": "/mnt/moved"}},
        "rename": {**files, "to": "tank/renamed"}, "promote": {"name": "tank/clone"}, "mount": files,
        "rewrite": {"dataset": "tank/files"}, "stop-rewrite": {"dataset": "tank/files"},
        "compare-rewrite": {"dataset": "tank/files"}, "switch-rewrite": {"dataset": "tank/files"},
        "end-rewrite": {"dataset": "tank/files"},
        "unmount": files, "destroy": files, "bulk-destroy": {"names": ["tank/files"], "recursive": True},
    }  # fmt: skip
    snapshot: dict[str, dict[str, Any]] = {
        "create": {"datasets": ["tank/files"], "name": "s9"}, "destroy": snapshots,
        "restore": {
            "snapshot": "tank/files@s1", "path": "Letters/neighbour.txt", "mode": "beside", "folder": "",
            "name": "back.txt",
        },
        "stop-restore": {"dataset": "tank/files", "restore": "0" * 16},
        "hold": {**snapshots, "tag": "keep"}, "release": {**snapshots, "tag": "keep"},
        "clone": {
            "snapshot": "tank/files@s1", "name": "tank/copy", "properties": {"mountpoint": "/mnt/copy"},
        },
        "rename": {"snapshot": "tank/files@s1", "name": "s2"}, "rollback": {"snapshot": "tank/files@s1"},
    }  # fmt: skip
    share = {"read": ["anna"], "write": ["anna"], "comment": "ours", "extra": {"create mask": "0660"}}
    clients = [{"host": "10.0.0.0/8", "security": ["sys"]}]
    shares: dict[str, dict[str, Any]] = {
        "smb.create": {**share, "name": "More", "dataset": "tank/files"},
        "smb.change": {**share, "share": "Files", "name": "Papers"}, "smb.delete": {"share": "Files"},
        "nfs.create": {"dataset": "tank/clone", "clients": clients},
        "nfs.change": {"id": 1, "clients": clients}, "nfs.delete": {"id": 1},
        "sharing.set": {"workgroup": "HOME", "name": "NAS2", "interfaces": ["eno1"]},
        "folder.share": {
            "dataset": "tank/fresh", "name": "Fresh", "create": True, "comment": "ours", "read": ["anna"],
            "write": ["anna"], "nfs": clients,
        },
        "sharing.apply": {}, "sharing.follow": {},
        "person.create": {
            "name": "bert", "full_name": "Bert B.", "groups": ["family"], "expires": "2030-01-01",
        },
        "person.create-with-folder": {"name": "carl", "full_name": "Carl C.", "folder": "tank/carl"},
        "person.change": {"name": "anna", "full_name": "Anna", "groups": [], "expires": "2030-01-01"},
        "person.password": {"name": "anna", "password": SECRET}, "person.delete": {"name": "anna"},
        "group.create": {"name": "club", "members": ["anna"]}, "group.delete": {"name": "family"},
        "group.change": {"name": "family", "members": []},
        "rights.set": {"dataset": "tank/files", "folder": "", "read": ["anna"], "write": ["@family"]},
        "rights.stop": {"dataset": "tank/files", "folder": ""}, "session.end": {"session": "smb-1"},
    }  # fmt: skip
    bay = {"bay": "1", "disk": first, "serial": serial}
    disks_: dict[str, dict[str, Any]] = {
        "chassis.set": {
            "profile": "", "name": "Box",
            "groups": [{"name": "front", "rows": 1, "columns": 1, "labels": ["1"]}],
        },
        "chassis.import": {"yaml": "name: Box\n"}, "bays.teach": bay,
        "bays.set": {"bays": [{"bay": "1", "port": "pci-0", "serial": serial}]},
        "disk.locate": disk, "disk.smart-test": {**disk, "kind": "short"},
        "self-tests.set": {"weekdays": ["sat", "sun"]},
        "disk.schedule-self-tests": {**disk, "which": "own", "short_days": 3, "long_days": 30},
        "disk.burn-in": disk,
        "disk.stop-burn-in": disk, "disk.wipe": disk, "disk.forget": disk,
        "disk.note": {**disk, "note": "mine", "purchased": "2024-01-01", "warranty_until": "2029-01-01"},
    }  # fmt: skip
    arrays: dict[str, dict[str, Any]] = {
        "array.create": {
            **array, "level": 1, "disks": [first, second], "fstype": "ext4", "mountpoint": "/mnt/box",
        },
        "array.add": {**array, "disk": first}, "array.replace": {**array, "member": first, "disk": second},
        "array.remove": {**array, "member": first}, "array.check": array, "array.start": array,
        "array.grow": {**array, "what": "disks", "disks": [first]}, "array.destroy": array,
        "boot.add": {"disk": first}, "boot.replace": {"old": first, "disk": second},
        "boot.remove": {"disk": first}, "boot.copies": {}, "boot.adopt": {}, "boot.convert": {"disk": first},
        "boot.convert-restart": {}, "boot.convert-leave": {}, "boot.swap": {"kind": "zram"},
        "boot.move-state": {"pool": "tank", "folders": ["var"]}, "boot.return-state": {},
        "boot.discard-state": {"pool": "tank"},
    }  # fmt: skip
    machine: dict[str, dict[str, Any]] = {
        "machine.restart": {}, "machine.shut-down": {},
        "machine.set-name": {"name": "attic"}, "machine.set-time-zone": {"time_zone": "Europe/Berlin"},
        "machine.set-metrics": {"enabled": True},
        "machine.set-arc": {"max_bytes": 2 << 30},
        "machine.set-log-target": {"protocol": "tls", "host": "logs.example.org", "port": 6514},
        "machine.first-start": {
            "name": "attic", "time_zone": "Europe/Berlin",
            "pool": {**pool["create"], "accept_unwell": [first]},
            "person": {"name": "carl", "full_name": "Carl C.", "password": SECRET},
            "folder": {
                "dataset": "other/fresh", "name": "Fresh", "create": True, "comment": "x", "write": ["carl"],
            },
        },
        "network.set": {
            "interface": "eno1", "dns": ["192.168.1.1"], "search": ["home.arpa"],
            "ipv4": {"method": "fixed", "addresses": ["192.168.1.20/24"], "gateway": "192.168.1.1"},
        },
        "network.measure-speed": {"host": "192.168.1.20"}, "network.listen": {}, "network.stop-speed": {},
        "network.confirm": {}, "network.revert": {}, "configuration.keep": {"pools": ["tank"]},
        "configuration.follow": {"pools": ["tank"]}, "configuration.set-copies": {"secrets": True},
        "configuration.restore": {"pool": "tank"},
        "schedule.change": {"id": 1, "cron": "0 4 * * 0", "time_zone": "Etc/UTC"},
        "schedule.delete": {"id": 1},
        "policy.set": {"dataset": "tank/files", "policy": "hourly=24"},
        "policy.run": {
            "pool": "tank", "take": {"tank/files": ["auto-hourly_x"]}, "delete": {"tank/files": ["s1"]},
        },
        "policy.prune": {"pool": "tank"}, "alert.acknowledge": {"id": 1, "note": "seen"},
        "doctor.acknowledge": {"code": "no-scrub", "subject": guid, "note": "x", "until": "2030-01-01"},
        "doctor.recall": {"code": "no-scrub", "subject": guid},
    }  # fmt: skip
    at = {"host": "backup.example.org", "user": "nas", "path": "photos"}
    backups: dict[str, dict[str, Any]] = {
        "repository.create": {
            "name": "Far", "password": SECRET, "sftp": {**at, "host_key": f"ssh-ed25519 {'A' * 68}"},
        },
        "repository.import": {
            "name": "Cloud", "password": SECRET, "key": SECRET,
            "s3": {"host": "s3.example.org", "bucket": "photos", "access_key": "AKIA", "prefix": "nas"},
        },
        "repository.connect": {"name": "Far"}, "repository.remove": {"name": "Near"},
        "repository.check": {"name": "Near", "percent": 10},
        "backup.create": {
            "name": "Photos", "repository": "Near", "datasets": ["tank/files"], "exclusions": ["*.tmp"],
            "retention": {"daily": 7}, "aim_hours": 48, "cron": "0 2 * * *", "time_zone": "Etc/UTC",
        },
        "backup.change": {"name": "Files", "aim_hours": 72, "exclusions": ["Cache"]},
        "backup.delete": {"name": "Files"}, "backup.run": {"name": "Files"}, "backup.stop": {"run": "0" * 16},
        "backup.restore": {
            "repository": "Near", "stored": "0" * 8, "dataset": "tank/files", "path": "Letters",
            "folder": "", "name": "back",
        },
    }  # fmt: skip
    copy = {
        "source": "tank/files", "excluded": ["tank/files/x"],
        "limits": [{"bytes_per_s": 4096, "start": "08:00"}],
        "schedule": {"cron": "0 3 * * *", "time_zone": "Etc/UTC"}, "keep": {"daily": 30},
    }  # fmt: skip
    replication: dict[str, dict[str, Any]] = {
        "create": {**copy, "name": "more", "target": "beside", "dataset": "tank/copies/more"},
        "change": {"id": 1, "name": "else", "excluded": ["tank/clone/x"], "schedule": copy["schedule"]},
        "delete": {"id": 1}, "run": {"name": "copies"}, "stop": {"name": "copies"},
        "prove": {"name": "copies"}, "drop-partial": {"name": "copies", "source": "tank/clone"},
        "go-live": {"dataset": "tank/files"}, "freeze": {"dataset": "tank/files"}, "reverse": {"id": 1},
        "forward": {"id": 1},
    }  # fmt: skip
    key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAILFGhr1QK+DW2b5h7uivW+ImLF9ug3yLZ6pbMhfH4Bj0"
    target: dict[str, dict[str, Any]] = {
        "create": {
            "name": "elsewhere", "kind": "ssh", "dataset": "vault/nas", "host": "offsite.home.arpa",
            "user": "backup",
        },
        "pair": {"name": "cellar", "host": "cellar.home.arpa", "code": SECRET},
        "trust": {"id": 2, "host_keys": [key]}, "change": {"id": 2, "name": "attic", "host": "10.0.0.9"},
        "remove": {"id": 2},
    }  # fmt: skip
    pairing: dict[str, dict[str, Any]] = {
        "offer": {"name": "cottage", "dataset": "tank/replicas/cottage", "shared": ["tank/files"]},
        "accept": {"id": 1, "key": key, "machine": "cottage"},
        "change": {"id": 1, "shared": ["tank/files"]}, "remove": {"id": 1},
    }  # fmt: skip
    of_rooms = {
        "replication": replication, "target": target, "pairing": pairing, "pool": pool, "dataset": dataset,
        "snapshot": snapshot,
    }  # fmt: skip
    named = {f"{room}.{verb}": data for room, verbs in of_rooms.items() for verb, data in verbs.items()}
    return named | shares | disks_ | arrays | machine | backups
