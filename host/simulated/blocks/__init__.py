"""Simulated disks: what is on them, what reads and what prepares them."""
