"""Incidents: one in words for each cause, recorded from its first sign to its end."""
