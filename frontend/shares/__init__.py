"""Shares as pages."""
