"""When disks test themselves."""
