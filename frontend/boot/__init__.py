"""What the machine starts from, as pages."""
