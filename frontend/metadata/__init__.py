"""The page of a pool's metadata and small blocks."""
