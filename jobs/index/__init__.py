"""The index of snapshots: kept in the database, re-listed for a dataset only where its snapshots changed."""
