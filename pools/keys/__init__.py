"""Keys of encrypted datasets."""
