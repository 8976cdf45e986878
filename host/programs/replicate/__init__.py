"""Replicates datasets: `python -m host.programs.replicate plan|run|forget --task JSON`."""
