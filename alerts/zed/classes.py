"""Every class of event that OpenZFS 2.3 knows, in words.

The names are those of its headers (`sys/fm/fs/zfs.h`, `sys/sysevent/eventdefs.h`) and of zpool-events(8),
which says when each is issued. Initializing issues none. A class that a later release adds is said by name.
"""

from __future__ import annotations

from typing import Literal

from host.inventory import ZedEvent
from host.zed import FAULTS

Tone = Literal["good", "warn", "bad", "busy", "idle"]

# What says nothing of a pool's health; our zedlet ends at once for these.
IGNORED = frozenset(
    {"history_event", "config_sync", "snapshot_mount", "snapshot_unmount", "zvol_create", "zvol_remove"}
)
# By the name without its first three parts. What is said follows the disk's or the pool's name and a colon.
_WORDS: dict[str, tuple[Tone, str]] = {
    # ereport.fs.zfs: something failed.
    "checksum": ("warn", "data read from it did not match its checksum"),
    "io": ("warn", "a request to it failed"),
    "data": ("bad", "data could not be read, and no good copy was found"),
    "delay": ("warn", "a request to it took longer than 30 seconds"),
    "deadman": ("bad", "a request to it has not come back for minutes"),
    "dio_verify_wr": ("warn", "a program changed data while it was being written past the cache"),
    "dio_verify_rd": ("warn", "data read past the cache did not match its checksum"),
    "authentication": ("bad", "encrypted data did not match its authentication code"),
    "probe_failure": ("bad", "it did not respond when ZFS tried it"),
    "io_failure": ("bad", "reading and writing have stopped: too many of its disks do not respond"),
    "log_replay": ("bad", "its intent log could not be replayed"),
    "config_cache_write": ("warn", "the list of pools for the next start could not be written"),
    "zpool": ("bad", "it could not be imported"),
    "vdev.unknown": ("bad", "ZFS cannot use it"),
    "vdev.open_failed": ("bad", "it could not be opened"),
    "vdev.corrupt_data": ("bad", "its label or the data beside it is damaged"),
    "vdev.no_replicas": ("bad", "too few of its disks work"),
    "vdev.bad_guid_sum": ("bad", "a device that belongs to it is missing"),
    "vdev.too_small": ("bad", "it is smaller than it was"),
    "vdev.bad_label": ("bad", "its label is that of another device"),
    "vdev.bad_ashift": ("bad", "its sectors are larger than its vdev was made for"),
    # resource.fs.zfs: what became of a device. `statechange` has words for each state.
    "removed": ("warn", "it left the machine"),
    "autoreplace": ("idle", "a new disk in its place is to replace it"),
    # sysevent.fs.zfs: what was begun, ended or changed.
    "resilver_start": ("busy", "a resilver began"),
    "resilver_finish": ("good", "the resilver ended"),
    "scrub_start": ("busy", "a scrub began"),
    "scrub_finish": ("good", "the scrub ended"),
    "scrub_abort": ("idle", "the scrub was stopped"),
    "scrub_paused": ("idle", "the scrub was paused"),
    "scrub_resume": ("busy", "the scrub goes on"),
    "errorscrub_start": ("busy", "a scrub of damaged files began"),
    "errorscrub_finish": ("good", "the scrub of damaged files ended"),
    "errorscrub_abort": ("idle", "the scrub of damaged files was stopped"),
    "errorscrub_paused": ("idle", "the scrub of damaged files was paused"),
    "errorscrub_resume": ("busy", "the scrub of damaged files goes on"),
    "trim_start": ("busy", "a trim began"),
    "trim_finish": ("idle", "the trim ended"),
    "trim_cancel": ("idle", "the trim was canceled"),
    "trim_suspend": ("idle", "the trim was suspended"),
    "trim_resume": ("busy", "the trim goes on"),
    "vdev_spare": ("warn", "this spare takes over for a disk"),
    "vdev_add": ("idle", "it was added to the pool"),
    "vdev_attach": ("idle", "it was attached"),
    "vdev_remove": ("idle", "it was taken out of the pool"),
    "vdev_remove_aux": ("idle", "it was taken out of the pool"),
    "vdev_remove_dev": ("busy", "its removal began: its data moves to the other vdevs"),
    "vdev_clear": ("idle", "errors were cleared"),
    "vdev_check": ("idle", "ZFS tried whether it can be opened"),
    "vdev_online": ("idle", "it was brought online"),
    "vdev_autoexpand": ("idle", "it became larger"),
    "bootfs_vdev_attach": ("idle", "it was attached to a pool that systems start from"),
    "pool_create": ("idle", "the pool was created"),
    "pool_destroy": ("idle", "the pool was destroyed"),
    "pool_import": ("idle", "the pool was imported"),
    "pool_export": ("idle", "the pool was exported"),
    "pool_reguid": ("idle", "the pool got a new guid"),
}
_STATES: dict[str, tuple[Tone, str]] = {
    "ONLINE": ("good", "it is online"),
    "DEGRADED": ("warn", "it is degraded: ZFS saw too many errors on it, and needs it still"),
    "FAULTED": ("bad", "it is faulted: ZFS does not use it any more"),
    "REMOVED": ("bad", "it is removed"),
    "UNAVAIL": ("bad", "it is unavailable"),
    "OFFLINE": ("warn", "it is offline"),
}
KNOWN = frozenset({*_WORDS, *IGNORED, "statechange"})


def is_fault(event: str) -> bool:
    """Whether a class says that something failed, and not what was done about it."""
    return event.startswith(FAULTS)


def matters(event: ZedEvent) -> bool:
    """Whether the machine has to be probed at once: what people do by the console is probed anyway."""
    return in_words(event)[0] in {"warn", "bad", "good"}


def in_words(event: ZedEvent) -> tuple[Tone, str]:
    """What happened, without a name in front and without a count."""
    if event.name == "statechange":
        return _STATES.get(event.state or "", ("warn", "its state changed"))
    tone, words = _WORDS.get(event.name, ("idle", f"ZFS reports “{event.name}”"))
    if event.longest_s is not None and event.name == "delay":
        words += f" (at most {event.longest_s:.0f})"
    return tone, words
