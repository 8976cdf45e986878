"""A dead man's ping: an address elsewhere that is asked while all is well, and reports when nobody asks."""
