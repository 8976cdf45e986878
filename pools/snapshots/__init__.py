"""Snapshots of datasets."""
