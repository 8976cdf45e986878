"""Shares and who uses them, in the REST API."""
