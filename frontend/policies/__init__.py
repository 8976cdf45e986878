"""Snapshot policies as pages."""
