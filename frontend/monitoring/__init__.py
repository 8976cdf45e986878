"""Metrics for Prometheus and a log server for the journal as a page."""
