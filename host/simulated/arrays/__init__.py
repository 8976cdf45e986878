"""Simulated md arrays: what mdadm does to them, what sysfs says of them, and how time brings them on."""
