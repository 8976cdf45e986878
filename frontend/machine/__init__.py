"""Name and clock as a page."""
