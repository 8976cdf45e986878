"""Repositories of restic, in which backups lie encrypted: where one is, and what programs report of them."""
