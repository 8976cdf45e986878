"""People and groups who use the shares."""
