"""What takes the space of a pool."""
