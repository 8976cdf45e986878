"""Commands of zpool(8)."""
