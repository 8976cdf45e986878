"""Parsers of what is known of the boot pair, swap and state."""
