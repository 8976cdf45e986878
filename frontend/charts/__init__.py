"""Charts of what was measured over time, of the machine and of each pool, disk and port."""
