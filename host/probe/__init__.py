"""Reads the machine by its commands: what each prints, as facts. `whole` reads all of it."""
