"""What the plans of all measurements of a dataset's files have in common."""
