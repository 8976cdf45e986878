"""Where notifications go, as pages."""
