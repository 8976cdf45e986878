"""Drives, and the bays they sit in."""
