"""Commands on disks, partitions, arrays and enclosures."""
