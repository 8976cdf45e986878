"""People and groups of the shares as pages."""
