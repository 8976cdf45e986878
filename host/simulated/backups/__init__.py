"""Repositories of a simulated machine, and what runs to them."""
