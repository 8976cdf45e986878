"""The pages, settings and actions of the console, with the other words that people type for them."""

from __future__ import annotations

from typing import NamedTuple


class Entry(NamedTuple):
    """A page, or what is done on one; `words` are synonyms."""

    title: str
    icon: str
    href: str
    words: str = ""
    kind: str = "page"
    scope: str = ""


_PAGES = (
    Entry("Overview", "layout-dashboard", "/", "home dashboard start chassis"),
    Entry("Health report", "list-checks", "/health/", "monthly summary print mail email status overview"),
    Entry("What is slow?", "gauge", "/slow/", "slow performance latency lag speed bottleneck disk network"),
    Entry(
        "Charts",
        "activity",
        "/charts/",
        "graphs history performance cpu memory arc network throughput latency slow busy metrics",
    ),
    Entry("Disks", "hard-drive", "/disks/", "drives hdd ssd bays smart temperature"),
    Entry("Pools", "database", "/pools/", "zpool storage raid vdev capacity"),
    Entry("Datasets", "folder-tree", "/datasets/", "filesystems volumes zvol zfs folders"),
    Entry("Space", "database", "/space/", "usage used full treemap what takes disk capacity largest du"),
    Entry("Snapshots", "camera", "/snapshots/", "versions history undelete"),
    Entry("Files", "folder", "/files/", "browse upload download folder restore deleted", scope="files:read"),
    Entry(
        "Network speed", "gauge", "/network-speed/", "iperf iperf3 bandwidth measure fast slow gigabit link"
    ),
    Entry("Shares", "share-2", "/shares/", "smb samba nfs cifs windows network folders"),
    Entry("Connections", "users", "/sessions/", "sessions clients connected open files locks who"),
    Entry("People and groups", "users", "/people/", "users accounts members"),
    Entry("Snapshot policies", "shield-check", "/policies/", "retention protection automatic schedule"),
    Entry(
        "Targets",
        "share-2",
        "/replication/targets/",
        "replication backup second copy offsite remote ssh pair machine rotating usb disk elsewhere",
    ),
    Entry(
        "Backups",
        "shield-check",
        "/backups/",
        "restic offsite copy repository sftp s3 cloud usb restore",
    ),
    Entry("New repository", "plus", "/create/repository/", "backup restic sftp s3 rest usb disk import"),
    Entry("New backup", "plus", "/create/backup/", "restic offsite schedule copy"),
    Entry("Schedules", "clock", "/schedules/", "cron scrub trim automatic protection"),
    Entry(
        "Replication",
        "copy",
        "/replication/",
        "second copy backup zfs send receive offsite mirror sync replicate protection",
    ),
    Entry("Self-tests", "clock", "/self-tests/", "smart short long schedule disks health automatic"),
    Entry("Alerts", "bell", "/alerts/", "incidents problems warnings errors"),
    Entry("Doctor", "stethoscope", "/doctor/", "checks health advice findings audit"),
    Entry("Jobs", "list-checks", "/jobs/", "tasks running history progress log"),
    Entry("Audit log", "eye", "/audit/", "log events who did what history", scope="system:read"),
    Entry("Power", "power", "/power/", "restart reboot shutdown turn off halt", scope="system:read"),
    Entry("Arrays", "boxes", "/arrays/", "md mdadm raid linux"),
    Entry("Chassis", "server", "/chassis/edit/", "case bays layout rack drawing"),
    Entry("Set up this NAS", "list-checks", "/welcome/", "wizard first setup start guide welcome"),
    Entry("API documentation", "terminal", "/api/v1/docs/", "rest script openapi swagger curl"),
)
_SETTINGS = tuple(
    entry._replace(kind="setting")
    for entry in (
        Entry("Settings", "settings", "/settings/", "preferences options configuration"),
        Entry("Machine name", "server", "/settings/machine/", "hostname host rename"),
        Entry("Time zone", "clock", "/settings/machine/", "clock date timezone summer ntp"),
        Entry("Network", "settings", "/settings/network/", "ip address dhcp dns gateway static interface"),
        Entry("Notifications", "bell", "/settings/notifications/",
              "smtp email mail ntfy telegram webhook push gotify message channel"),
        Entry("Dead man's ping", "bell", "/settings/notifications/ping/",
              "heartbeat healthchecks uptime kuma alive monitor cron"),
        Entry("Memory", "memory-stick", "/settings/memory/", "arc cache zfs_arc_max ram limit hit ratio"),
        Entry("Monitoring", "activity", "/settings/monitoring/",
              "prometheus grafana metrics openmetrics syslog rsyslog log server journal remote logging"),
        Entry("API tokens", "key-round", "/settings/tokens/", "token key script access secret"),
        Entry("Console accounts", "users", "/settings/accounts/", "admin operator viewer login role user"),
        Entry("Your password", "key-round", "/accounts/password/change/", "change passphrase"),
        Entry("Two-factor authentication", "shield", "/accounts/2fa/", "2fa mfa totp second factor"),
        Entry("Settings for all shares", "settings", "/settings/shares/", "workgroup smb nfs avahi"),
        Entry("Settings backup", "copy", "/settings/copies/", "restore export configuration save copies"),
        Entry("Boot pair", "usb", "/boot/", "stick usb flash system mirror raid1 os grub"),
        Entry("Swap", "memory-stick", "/boot/swap/", "zram memory"),
        Entry("State on a pool", "database", "/boot/state/", "var home move flash wear"),
        Entry("Locked datasets", "lock", "/datasets/locked/", "encryption unlock key passphrase"),
    )
)  # fmt: skip
_ACTIONS = tuple(
    entry._replace(kind="action")
    for entry in (
        Entry("Create a pool", "plus", "/create/pool/", "new zpool raidz mirror", scope="pools:write"),
        Entry("Import a pool", "download", "/import/", "zpool foreign recover", scope="pools:write"),
        Entry("Create a dataset", "plus", "/create/dataset/", "new filesystem zvol", scope="pools:write"),
        Entry("Replicate a dataset", "plus", "/replication/new/", "new copy backup zfs send offsite",
              scope="pools:write"),
        Entry("Create an array", "plus", "/create/array/", "new md mdadm raid", scope="pools:write"),
        Entry("Share a folder", "plus", "/share/folder/", "new smb nfs samba", scope="shares:write"),
        Entry("Create an SMB share", "plus", "/create/share/smb/", "new samba windows", scope="shares:write"),
        Entry("Create an NFS export", "plus", "/create/share/nfs/", "new linux unix", scope="shares:write"),
        Entry("Add a user", "plus", "/create/person/", "new person account create", scope="shares:write"),
        Entry("Add a group", "plus", "/create/group/", "new team family create", scope="shares:write"),
        Entry("Restart the machine", "refresh-cw", "/power/", "reboot power cycle", scope="system:write"),
        Entry("Shut down the machine", "power", "/power/", "shutdown turn off power halt poweroff",
              scope="system:write"),
        Entry("Map bays", "eye", "/teach/", "teach locate label bay slot which disk", scope="disks:write"),
        Entry("Sign out", "log-out", "/accounts/logout/", "log out logout leave exit"),
    )
)  # fmt: skip
ENTRIES: tuple[Entry, ...] = (*_SETTINGS, *_PAGES, *_ACTIONS)
