"""Who is connected, as a page."""
