"""What takes the space of a pool, as a picture and as a table."""
