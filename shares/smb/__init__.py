"""Shares of SMB."""
