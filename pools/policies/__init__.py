"""Scheduled snapshots: policies of datasets, what they take and delete, and what they would."""
