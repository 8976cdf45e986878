"""Simulated pools."""
