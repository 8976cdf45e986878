"""Replication on a simulated machine: the real program's decisions, on simulated datasets."""
