"""Files in simulated datasets, which snapshots keep."""
