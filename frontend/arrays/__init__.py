"""md arrays as pages."""
