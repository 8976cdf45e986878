"""What the machine itself is set to: its name, its clock, its network, and the copies of its configuration."""
