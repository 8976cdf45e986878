"""Where replicas lie, and how the machines there are reached."""
