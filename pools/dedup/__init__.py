"""Whether deduplication would be worth it in a pool, from an estimate in the background."""
