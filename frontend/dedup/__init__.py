"""The page of what deduplication would save in a pool."""
