"""Parsers of what zfs(8) says of datasets and snapshots."""
