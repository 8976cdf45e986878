"""Second copies of datasets by zfs send and receive: where they go, what is sent, and what became of it."""
