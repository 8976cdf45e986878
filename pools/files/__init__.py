"""The files in datasets, now and in snapshots: looked at, compared, downloaded, restored."""
