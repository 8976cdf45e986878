"""How large the metadata and the small blocks of a pool are, and what a special vdev would do for it."""
