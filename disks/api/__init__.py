"""`disks/`, `chassis/` and `bays/` of the REST API."""
