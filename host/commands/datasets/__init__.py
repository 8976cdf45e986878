"""Commands of zfs(8), and mounting."""
