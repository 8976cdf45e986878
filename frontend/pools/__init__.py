"""Pools and their members as pages."""
