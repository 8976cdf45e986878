"""Backups of the settings as a page."""
