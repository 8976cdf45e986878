"""Measurements of datasets and pools on a simulated machine, and what they report."""
