"""What zed hands over of the pools' events: where it lies, and how much. Imports nothing: zed starts what
uses it for every event."""

# In memory and root's alone: our zedlet writes it, the helper reads it.
FOLDER = "/run/nasweb-zed"
EVENTS = f"{FOLDER}/events"
MOST_LINES = 200

# Columns of a line, parted by tabs; EMPTY stands for a value that the event has not.
COLUMNS = (
    "boot", "eid", "last_eid", "at_ns", "last_at_ns", "up_ms", "last_up_ms", "count", "moments", "event",
    "pool", "pool_guid", "vdev_guid", "state", "before", "path", "error", "longest_ms",
)  # fmt: skip
EMPTY = "-"

# zpool-events(8): `ereport` says that something failed, the others what became of a device or was done.
FAULTS, DEVICES, CHANGES = "ereport.fs.zfs.", "resource.fs.zfs.", "sysevent.fs.zfs."
