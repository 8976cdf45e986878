"""Accounts of the console as pages."""
