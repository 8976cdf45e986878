"""Restart and shutdown of the machine."""
