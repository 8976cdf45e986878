"""Pools, datasets and snapshots: what can be asked, and the plan for each."""
