"""What pools do at this moment, read only while somebody watches, and the progress of what takes hours."""
