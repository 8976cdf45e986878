"""Datasets that are written anew, with the compression, checksums and deduplication that they have now."""
