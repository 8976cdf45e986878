"""Parsers of what is shared, with whom, and who is connected."""
