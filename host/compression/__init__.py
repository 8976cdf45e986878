"""What data would take with each of OpenZFS's compressions: some of a dataset's own blocks, compressed."""
