"""`pools/`, `datasets/`, `snapshots/` and `capacity/` of the REST API."""
