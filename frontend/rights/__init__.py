"""Rights to files as pages."""
