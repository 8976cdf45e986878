"""The members of a pool: vdevs and disks that come, go, rest and are replaced."""
