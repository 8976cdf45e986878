"""Commands of replication: what a run is, and what it has both sides do."""
