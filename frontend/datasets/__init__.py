"""File systems and volumes as pages."""
