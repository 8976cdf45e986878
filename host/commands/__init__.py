"""What the machine can be asked to do, by family; `closed` is the whole set."""
