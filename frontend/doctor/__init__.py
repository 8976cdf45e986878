"""Findings of the doctor as a page."""
