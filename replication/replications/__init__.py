"""What is replicated where, when it runs, and what became of each run."""
