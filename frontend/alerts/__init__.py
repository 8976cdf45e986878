"""Incidents as pages."""
