"""The page of how fast a pool is."""
