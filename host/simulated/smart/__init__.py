"""smartctl on simulated disks."""
