"""Restart and shutdown, as pages."""
