"""Snapshots as pages."""
