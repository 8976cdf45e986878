"""Jobs as pages."""
