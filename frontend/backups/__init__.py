"""Pages about backups: what is stored where, how old it is, and how it went."""
