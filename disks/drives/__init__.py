"""What can be done with one disk. Each operation is a module."""
