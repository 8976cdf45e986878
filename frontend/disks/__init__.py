"""Disks, bays and their lights as pages."""
