"""Plans, the jobs that carry them out, and what is remembered of both."""
