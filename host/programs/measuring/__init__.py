"""Programs that measure the files of a snapshot, each in a unit of its own."""
