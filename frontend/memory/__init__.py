"""How much memory ZFS may cache in, as a page."""
