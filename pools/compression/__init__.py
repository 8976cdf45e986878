"""What each compression would make of a dataset's own files: measured, compared, and one recommended."""
