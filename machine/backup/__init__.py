"""Copies of the console's settings on every pool, and restoring from them."""
