"""Places where replicas lie, and how they are reached."""
