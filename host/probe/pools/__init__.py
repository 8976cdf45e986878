"""Parsers of what zpool(8) says."""
