"""Where what belongs to repositories lies on the machine. All of it is root's alone."""

from __future__ import annotations

KEPT = "/etc/nasweb/backups"  # a folder for each repository: its address, password and keys
SETTINGS, PASSWORD, KEY, SSH_KEY, KNOWN_HOSTS, AUTHORITY = (
    "repository.json", "password", "key", "id_ed25519", "known_hosts", "authority.pem",
)  # fmt: skip
REPORTS = "/var/lib/nasweb-backups"  # StateDirectory= of the drop-in, as the two that follow are its others
CACHE = "/var/cache/nasweb-backups"
WORKSHOP = "/run/nasweb-backups"
SNAPSHOTS = "nasweb-backup-"  # of snapshots that a backup takes for itself, before its key and a run's
