"""What deduplication would save in a pool, and what its table takes: read from zdb(8) and zpool-status(8)."""
