"""What measurements of a dataset's files have in common, whatever they measure."""
