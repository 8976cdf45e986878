"""Files in snapshots as pages."""
