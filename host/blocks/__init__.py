"""What the blocks of a pool are: metadata, and data by size; counted by zdb(8)."""
