"""Endpoints on repositories and backups."""
