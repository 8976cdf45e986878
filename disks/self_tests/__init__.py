"""Self-tests of disks on schedule: short ones weekly, long ones monthly, unless somebody wants others."""
