"""Replications as pages."""
