"""Files that share their blocks."""
