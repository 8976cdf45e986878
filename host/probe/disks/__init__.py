"""Parsers of what is said of disks, partitions, arrays and enclosures."""
