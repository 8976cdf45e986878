"""The page of what each compression would make of a dataset's files."""
