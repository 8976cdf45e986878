"""How much memory ZFS may cache in."""
