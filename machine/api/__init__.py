"""The machine's own endpoints."""
