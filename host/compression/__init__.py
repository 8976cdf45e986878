"""What data would take with each of OpenZFS's compressions: a sample of a dataset's own blocks, compressed."""
