"""Simulated datasets and snapshots."""
