"""The help of each page by the name of its address: what it is for, what is usual here, one caution."""

from __future__ import annotations

from frontend.help.accounts import ACCOUNTS
from frontend.help.backup_texts import BACKUPS
from frontend.help.replicating import REPLICATING
from frontend.help.replication import REPLICATION

_CREATE_SHARE = (
    "Shares a dataset that already exists. To create the dataset, the share and its permissions in one "
    "step, use Share a folder instead. Guest access lets everyone on the network in: use it only for data "
    "that may be public."
)
_DESTROY = (
    "Shows what would be destroyed before anything happens. Usually you check the list, type the name and "
    "confirm. There is no undo: make sure that a backup exists elsewhere."
)
_MEMBER = (
    "Changes the disks of a pool. Select the disks, review the exact commands, then confirm. Compare bay and "
    "serial number before you touch a disk: pulling the wrong one can cost the pool its redundancy."
)

TEXTS: dict[str, str] = BACKUPS | {
    "overview": (
        "Shows whether the machine, its pools and its disks are healthy. Usually you look at the alerts "
        "first and follow their next steps. Select a bay to open its disk. The values are as old as the "
        "time at the top of the page."
    ),
    "charts": (
        "Shows what the machine, its pools, disks and network ports did over time. Usually you choose one "
        "and a range, and drag across a chart to zoom in. Points of 10 seconds are kept for a day, minutes "
        "for a month and hours for two years; a restart of the machine leaves minutes of the last day."
    ),
    "health": (
        "Sums up the last 30 days: pools, disks, snapshots, alerts, changes. Usually you print or send it "
        "once a month. It names accounts and datasets: send it only to people who may know them."
    ),
    "space": (
        "Shows what fills a pool: files, snapshots and reservations of each dataset. Usually you "
        "look for what is not needed: old snapshots keep what was deleted. “Internal” is ZFS's own."
    ),
    "slow": (
        "Says which disk, link or pool is slow, from what was measured in the last minutes. Usually you open "
        "it while something is slow, and follow the first answer. A disk that is far slower than the others "
        "of its vdev often fails soon: check that your backup is recent."
    ),
    "chart-table": (
        "The points of a chart as a table, newest first. Usually you download the CSV file, which has "
        "all points that are kept. Times are in UTC."
    ),
    # Storage
    "pools": (
        "Lists the pools with their vdevs, health and free space. Usually you open a pool to scrub it, "
        "replace a disk or add space. Keep pools below 80 % full: beyond that, writing becomes slow."
    ),
    "pool": (
        "Shows the vdevs and disks of one pool and what you can do with them. Usually you check for errors "
        "here, start a scrub, or replace a failed disk. A degraded pool has less redundancy, or none: "
        "replace the failed disk before you do anything else."
    ),
    "pool-builder": (
        "Creates a pool from free disks. Select the disks, compare the layouts, choose one and review the "
        "plan. All data on the selected disks is erased, and a raidz vdev can never be removed again."
    ),
    "pool-replace": (
        "Replaces a disk with another one of the same size or larger. Choose the disk to replace and the "
        "new disk; the pool stays in use while data is copied. Leave a working old disk in until the "
        "resilver is finished."
    ),
    "pool-grow": (
        "Makes a pool larger by replacing its disks with larger ones, one by one. Wait for each resilver "
        "before you replace the next disk. The space is available after the last disk of a vdev."
    ),
    "pool-add": (
        "Adds a vdev to the pool: more space, a spare, or a log or cache device. Choose the role and the "
        "disks, then review the plan. A data vdev in a pool with raidz can never be removed again."
    ),
    "pool-attach": _MEMBER,
    "pool-destroy": _DESTROY,
    "pool-live": (
        "Shows reads, writes and latency of each disk, once a second. Use it to find a disk that slows down "
        "its vdev. Short peaks are normal, and a scrub or resilver keeps all disks busy."
    ),
    "pool-scrubs": (
        "Lists the finished scrubs and resilvers of this pool. Usually you check whether they repaired "
        "anything. Repairs that come back on one disk point to that disk, its cable or its power."
    ),
    "pool-schedule": (
        "Sets when this pool is scrubbed or trimmed. Once a month is right for most pools. Without scrubs, "
        "damage is found only when a file is read, perhaps after its last good copy is gone."
    ),
    "import": (
        "Imports pools from other machines or earlier installations. Insert the disks, scan, then import. "
        "Never import a pool that another machine is still using: that destroys it."
    ),
    "arrays": (
        "Lists Linux software RAID (md) arrays, including the one that holds the system. Use them only for "
        "file systems other than ZFS. md has no checksums: it notices that copies differ, not which one is "
        "right."
    ),
    "array": (
        "Shows one md array and its disks. Usually you check it, replace a disk or grow it here. An array "
        "without redundancy loses its data with the next failed disk."
    ),
    "array-form": (
        "Creates an md array with a file system on it. For most data a ZFS pool is the better choice. All "
        "data on the selected disks is erased."
    ),
    "array-destroy": _DESTROY,
    "datasets": (
        "Lists the datasets of all pools with their space, snapshots, shares and encryption. Usually you "
        "create a dataset for each kind of data, so that it can have its own quota and snapshots. Changes "
        "made to a parent are inherited by its child datasets."
    ),
    "dataset": (
        "Shows one dataset: its space, settings, snapshots and shares. Usually you set a quota, take a "
        "snapshot or share it here. Most properties apply only to newly written data."
    ),
    "dataset-form": (
        "Creates a file system for files, or a volume for virtual machines and iSCSI. Choose a preset that "
        "fits the data. Encryption can only be chosen now: it cannot be added later."
    ),
    "dataset-destroy": _DESTROY,
    "datasets-destroy": _DESTROY,
    "dataset-rename": (
        "Changes the name of a dataset or moves it below another one in the same pool. Its snapshots and "
        "child datasets move with it. Clients of its shares are disconnected for a moment."
    ),
    "dataset-properties": (
        "Lists all ZFS properties of a dataset and where each value comes from. Change one at a time, or "
        "set it back to inherited. If you are not sure what a property does, leave it at its default."
    ),
    "datasets-edit": (
        "Sets one property on several datasets at once. Select the datasets, choose the property and its "
        "value, and review the plan. Child datasets that inherit the property change, too."
    ),
    "datasets-compare": (
        "Shows the properties in which two datasets differ. Use it to find out why one of them behaves "
        "differently. Nothing is changed on this page."
    ),
    "datasets-locked": (
        "Unlocks encrypted datasets after a restart. Select those that use the same passphrase, and enter "
        "it once. Without the passphrase or key nobody can recover the data."
    ),
    "dataset-keys": (
        "Locks or unlocks an encrypted dataset, tests its key or changes it. Test your written copy of the "
        "key while the dataset is unlocked. A raw backup made earlier still opens with the old key."
    ),
    "dataset-quotas": (
        "Limits the space of a dataset, or of single users and groups in it. A quota is an upper limit; a "
        "reservation guarantees space. When a quota is reached, writes fail until something is deleted."
    ),
    "snapshots-all": (
        "Lists datasets with their snapshots. Usually you open a dataset to take, browse or destroy its "
        "snapshots. Snapshots protect against mistakes, not against lost disks: they are no backup."
    ),
    "snapshots": (
        "Lists the snapshots of one dataset. Take one before a risky change, or browse one to restore "
        "files. “Space used” counts only what a single snapshot holds alone; destroying several can free "
        "more."
    ),
    "snapshot": (
        "Shows one snapshot. To get files back, browse or clone it; a hold keeps it from being destroyed. "
        "Rolling back destroys everything written since, including newer snapshots."
    ),
    "snapshot-changes": (
        "Lists files that were created, changed or deleted since a snapshot. Use it to find what to "
        "restore. Large datasets can take a while to compare."
    ),
    "disks": (
        "Shows all disks in their bays. Usually you turn on the locate light of a disk, check its health or "
        "start a self-test. A question mark at a bay means that its disk is only guessed: map the bays "
        "first."
    ),
    "disk": (
        "Shows health, temperature, self-tests and history of one disk. Usually you check its SMART "
        "counters after an alert. Growing counts of reallocated or pending sectors mean that you should "
        "replace it."
    ),
    "disk-label": (
        "Prints a label for the sled of this disk. Stick it on, and you can tell disks apart without the "
        "console. Print a new label after you replace a disk."
    ),
    "chassis-editor": (
        "Describes the front of your case, so that disks are drawn where they really are. Start from a case "
        "like yours and adjust rows, columns and labels. Bays that disappear lose their mapping."
    ),
    "teach": (
        "Records which disk is in which bay. Blink the light of a disk and click its bay, or pull a disk "
        "and put it back. Pull a disk of a pool only while the pool has redundancy to spare."
    ),
    # Files
    "places": (
        "Lists the datasets whose files you can browse, now and in snapshots. Open one to download, upload "
        "or restore files. Locked and unmounted datasets cannot be browsed."
    ),
    "files": (
        "Shows the files of a dataset, now or as they were in a snapshot. Choose a snapshot at the top to "
        "find deleted files, then restore them. Restoring as a copy never overwrites anything."
    ),
    "file-versions": (
        "Lists all versions of a file or folder in the snapshots. Download one, restore it as a copy, or "
        "overwrite the current one. Before overwriting, a snapshot of the current state is taken."
    ),
    "file-difference": (
        "Shows what differs between two versions of a text file. Use it to find the version to restore. "
        "Other kinds of files have to be downloaded to compare them."
    ),
    # Shares and people
    "shares": (
        "Lists the folders shared over SMB and NFS. Usually you share a folder here, or open a share to "
        "see how to connect. People also need permissions on the folder itself, not only on the share."
    ),
    "share-folder": (
        "Creates a share in three steps: which folder, what for, and who may use it. A new dataset is the "
        "best choice, because it has its own quota and snapshots. Guest access lets everyone on the network "
        "in."
    ),
    "smb-form": _CREATE_SHARE,
    "nfs-form": (
        "Exports a dataset to Linux and Unix machines. Enter the addresses that may mount it. NFS trusts "
        "these machines to say who their users are, so allow only machines that you control."
    ),
    "smb-share": (
        "Shows how to connect to this SMB share, and changes its settings. Usually you add people or switch "
        "on previous versions. Renaming a share disconnects its clients."
    ),
    "nfs-share": (
        "Shows how to mount this NFS export, and changes its settings. Usually you add clients here. "
        "Clients with root access can read and change every file."
    ),
    "sharing-settings": (
        "Settings that apply to all SMB and NFS shares, such as the workgroup and the allowed protocols. "
        "The defaults are right for most networks. Changing them can disconnect clients for a moment."
    ),
    "sessions": (
        "Lists connected clients and the files they have open. Usually you check here before a restart. "
        "Disconnecting a client that is writing can lose unsaved work."
    ),
    "rights": (
        "Sets who may read and write a folder, over every protocol. Give permissions to groups rather than "
        "to people. Applying them to existing files replaces permissions that were set on single files."
    ),
    "scan": "Counts the files of a recent snapshot by folder, kind and size. Files are only read.",
    "network-speed": "Measures how fast another machine is reached. It needs iperf3 at the other end.",
    "benchmark": "Measures how fast the pool is, and why. Its own files are destroyed at the end.",
    "rewrite": "Stores existing data with the settings of now. Nothing is destroyed before the end.",
    "metadata": "Tells how large metadata is, and what a special vdev would do. No data is read.",
    "dedup": "Tells what deduplication would save and cost. Only block pointers are read.",
    "compression": "Compares space and speed on a sample of a recent snapshot. Files are only read.",
    "people": (
        "Lists the people who use shares, and their groups. Usually you create a person with a password and "
        "add them to a group. These are not console accounts: they cannot sign in to this console."
    ),
    "person": (
        "Changes a person who uses shares: name, groups, password and expiry. Disable somebody to keep them "
        "out without losing anything. Files of a deleted person stay and keep their UID."
    ),
    "person-form": (
        "Creates a person who may use shares. Add them to groups that already have access, or create a "
        "private folder for them. The user name cannot be changed later."
    ),
    "group": (
        "Changes the members of a group. Shares and permissions given to the group apply to all its "
        "members. People who are connected get the change when they connect again."
    ),
    "group-form": (
        "Creates a group of people. Give shares and permissions to the group instead of to each person. "
        "The name cannot be changed later."
    ),
    "accounts": (
        "Lists who may sign in to this console. Give each administrator their own account with the smallest "
        "role that is enough. People who only use shares do not need one."
    ),
    "account": (
        "Changes the role of a console account, resets its password or disables it. Disable an account "
        "first if you are not sure that it can be deleted. API tokens keep working after a password reset."
    ),
    # Protection
    "policies": (
        "Lists which datasets have scheduled snapshots. Usually you add a policy to a pool, and all its "
        "datasets follow it. Snapshots are on the same disks: keep a backup elsewhere, too."
    ),
    "policy": (
        "Sets how often snapshots of a dataset are taken and how long they are kept. Start from a preset "
        "and look at the preview. Shortening a policy deletes snapshots that no longer fit."
    ),
    "self-tests": (
        "Sets when disks test themselves, and shows when each did last. Usually the settings stay as they "
        "are. Without self-tests, damage is noticed only when somebody reads what lies there."
    ),
    "schedules": (
        "Lists what runs on schedule. Open it to change it. Without scrubs a pool can lose data unnoticed."
    ),
    "copies": (
        "Shows the settings backups on each pool, and restores from one. Backups are made automatically "
        "after each change. A restore replaces all current settings and signs everybody out."
    ),
    # Alerts
    "alerts": (
        "Lists open problems, the most serious first, with their next steps. Follow the steps, or "
        "acknowledge an alert that you know about. Acknowledging repairs nothing."
    ),
    "doctor": (
        "Checks for settings and habits that put data at risk, such as missing scrubs or backups. Work "
        "through the findings from the top, or ignore one for a time with a reason. It wakes no disks, so "
        "it cannot see everything."
    ),
    "notifications": (
        "Lists the channels that alerts are sent to. Add at least one and send a test. Without "
        "notifications a failed disk goes unnoticed until somebody opens this console."
    ),
    "notification": (
        "Changes one notification channel, sends a test and shows recent messages. Choose what to send, the "
        "quiet hours and regular messages. Secrets are never shown again: leave them empty to keep them."
    ),
    "notification-add": (
        "Adds a notification channel. Enter the details, save, and send a test. Use one that reaches you "
        "while this machine is offline."
    ),
    "ping": (
        "Has this machine ask an address elsewhere while all is well, so that a service can warn you when it "
        "stops. Enter the address that the service shows you, and let it allow a few missed ones. Pause it "
        "for maintenance."
    ),
    # System
    "settings": (
        "Lists the sections of settings with what is set in each. Open a section to change it. How the "
        "console looks is remembered in this browser only."
    ),
    "tokens": (
        "Creates and revokes tokens for scripts that use the API. Choose the smallest preset that is enough "
        "for the script. A token is shown only once: copy it right away."
    ),
    "machine": (
        "Sets the machine's name and time zone. Other machines find this NAS by its name, and new schedules "
        "use the time zone. After renaming, clients have to use the new name."
    ),
    "memory": (
        "Shows what ZFS's cache does for this machine, and limits it. Usually you leave that to ZFS. A limit "
        "that is too low makes every share slower; one that is too high leaves programs short of memory."
    ),
    "monitoring": (
        "Lets Prometheus read metrics, and sends the journal to a log server. Usually you turn metrics on "
        "and create a token. Both tell another machine about this one: prefer TLS for the journal."
    ),
    "network": "Lists interfaces and addresses. Open one to change it; that reverts unless you keep it.",
    "network-interface": (
        "Sets the addresses, gateway and DNS servers of one interface. Use DHCP unless you need a fixed "
        "address. Open the new address in another tab and keep the change within 60 seconds."
    ),
    "boot": (
        "Shows the two drives that hold the system. Usually you add or replace a half here. With only one "
        "half left, its failure stops the machine, although pools are not affected."
    ),
    "boot-swap": (
        "Chooses where the machine moves rarely used memory. Compressed memory is right for most machines. "
        "Swap on flash drives wears them out."
    ),
    "boot-state": (
        "Moves /var and /home to a pool, or back to the boot drives. On a pool they have more space and "
        "redundancy. Without that pool the machine starts with the state from the day of the move."
    ),
    "power": (
        "Restarts the machine or shuts it down. Check the connected clients and running jobs first. Shares "
        "and this console are unavailable until the machine has started again."
    ),
    "jobs": (
        "Lists everything that was done on this machine, with commands and output. Filter by object, person "
        "or state. Jobs continue when you close the browser."
    ),
    "job": (
        "Shows the progress and the record of one job. Read the output of a failed step to see why it "
        "failed. Aborting stops before the next step; finished steps are not undone."
    ),
    "audit": (
        "Shows who did what, and when, including sign-ins and changes of accounts. Filter by person or "
        "action. Entries cannot be changed or deleted."
    ),
    "search": (
        "Finds disks, pools, datasets, shares, people, pages and actions. Press / or Ctrl+K on any page and "
        "type a few letters. Only what your role may see is found."
    ),
    "first-start": (
        "Sets up a new machine on one page: name, time zone, pool, person and shared folder. Change the "
        "defaults where needed and review the plan. The selected disks are erased."
    ),
    "welcome-step": (
        "Guides you through the setup of a new machine, one step at a time. Do a step now or skip it; you "
        "can change everything later. Keep the current settings where they are right."
    ),
    "welcome-summary": (
        "Summarises the setup, with addresses, bays and serial numbers. Print it and keep it near the "
        "machine. Print it again after you replace a disk."
    ),
    **ACCOUNTS,
    **REPLICATING,
    **REPLICATION,
}
