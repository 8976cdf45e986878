"""Figures of speed and memory: `make bench`. They are measured and printed, never asserted."""
