"""Measures in a unit of its own what compressions make of a dataset's files."""
